-- A library of schema 4, with a row for each entry of a ledger.
CREATE TABLE meta (
  name VARCHAR(64) NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (name)
);
CREATE TABLE counters (
  tenant VARCHAR(64) NOT NULL,
  name VARCHAR(300) NOT NULL,
  value BIGINT NOT NULL,
  PRIMARY KEY (tenant, name)
);
CREATE TABLE collections (
  tenant VARCHAR(64) NOT NULL,
  collection_id VARCHAR(36) NOT NULL,
  name TEXT NOT NULL,
  chunking VARCHAR(16) NOT NULL,
  score_threshold FLOAT,
  reranker TEXT,
  added_at VARCHAR(40) NOT NULL,
  PRIMARY KEY (tenant, collection_id),
  UNIQUE (tenant, name)
);
CREATE TABLE changes (
  tenant VARCHAR(64) NOT NULL,
  seq BIGINT NOT NULL,
  collection_id VARCHAR(36) NOT NULL,
  document_id VARCHAR(36) NOT NULL,
  chunk_id VARCHAR(36) NOT NULL,
  op VARCHAR(4) NOT NULL,
  PRIMARY KEY (tenant, seq)
);
CREATE TABLE conversations (
  tenant VARCHAR(64) NOT NULL,
  conversation_id VARCHAR(255) NOT NULL,
  saved_at VARCHAR(40) NOT NULL,
  state JSON NOT NULL,
  PRIMARY KEY (tenant, conversation_id)
);
CREATE TABLE ledgers (
  tenant VARCHAR(64) NOT NULL,
  client VARCHAR(64) NOT NULL,
  saved_at FLOAT NOT NULL,
  returned BOOLEAN NOT NULL,
  entries BIGINT NOT NULL,
  last BIGINT NOT NULL,
  PRIMARY KEY (tenant, client)
);
CREATE TABLE documents (
  tenant VARCHAR(64) NOT NULL,
  document_id VARCHAR(36) NOT NULL,
  collection_id VARCHAR(36) NOT NULL,
  source_key TEXT NOT NULL,
  source_uri TEXT,
  title TEXT NOT NULL,
  version VARCHAR(16) NOT NULL,
  added_at VARCHAR(40) NOT NULL,
  removed_at VARCHAR(40),
  PRIMARY KEY (tenant, document_id),
  FOREIGN KEY(tenant, collection_id) REFERENCES collections (tenant, collection_id)
);
CREATE TABLE ledger_entries (
  tenant VARCHAR(64) NOT NULL,
  client VARCHAR(64) NOT NULL,
  evidence_id VARCHAR(255) NOT NULL,
  number BIGINT NOT NULL,
  entry JSON NOT NULL,
  PRIMARY KEY (tenant, client, evidence_id),
  FOREIGN KEY(tenant, client) REFERENCES ledgers (tenant, client) ON DELETE CASCADE
);
CREATE TABLE bibliographies (
  tenant VARCHAR(64) NOT NULL,
  document_id VARCHAR(36) NOT NULL,
  found JSON NOT NULL,
  given JSON NOT NULL,
  PRIMARY KEY (tenant, document_id),
  FOREIGN KEY(tenant, document_id) REFERENCES documents (tenant, document_id)
);
CREATE TABLE versions (
  tenant VARCHAR(64) NOT NULL,
  document_id VARCHAR(36) NOT NULL,
  version VARCHAR(16) NOT NULL,
  revision INTEGER NOT NULL,
  media_type VARCHAR(255) NOT NULL,
  reader TEXT NOT NULL,
  file_hash VARCHAR(64) NOT NULL,
  pages INTEGER NOT NULL,
  passages INTEGER NOT NULL,
  added_at VARCHAR(40) NOT NULL,
  flags JSON NOT NULL,
  frames JSON NOT NULL,
  outline JSON NOT NULL,
  line_numbers JSON,
  regions JSON,
  doubts JSON,
  text TEXT NOT NULL,
  PRIMARY KEY (tenant, document_id, version),
  FOREIGN KEY(tenant, document_id) REFERENCES documents (tenant, document_id)
);
CREATE TABLE passages (
  tenant VARCHAR(64) NOT NULL,
  chunk_id VARCHAR(36) NOT NULL,
  document_id VARCHAR(36) NOT NULL,
  put_seq BIGINT,
  text TEXT NOT NULL,
  PRIMARY KEY (tenant, chunk_id),
  FOREIGN KEY(tenant, document_id) REFERENCES documents (tenant, document_id)
);
CREATE TABLE places (
  tenant VARCHAR(64) NOT NULL,
  chunk_id VARCHAR(36) NOT NULL,
  version VARCHAR(16) NOT NULL,
  document_id VARCHAR(36) NOT NULL,
  ordinal INTEGER,
  start_at BIGINT NOT NULL,
  end_at BIGINT NOT NULL,
  section_start BIGINT,
  section_end BIGINT,
  locator JSON NOT NULL,
  boxes BLOB NOT NULL,
  doubt TEXT,
  PRIMARY KEY (tenant, chunk_id, version),
  FOREIGN KEY(tenant, chunk_id) REFERENCES passages (tenant, chunk_id),
  FOREIGN KEY(tenant, document_id, version) REFERENCES versions (tenant, document_id, version)
);
CREATE TABLE vectors (
  tenant VARCHAR(64) NOT NULL,
  embedder VARCHAR(255) NOT NULL,
  chunk_id VARCHAR(36) NOT NULL,
  number BIGINT NOT NULL,
  vector BLOB NOT NULL,
  PRIMARY KEY (tenant, embedder, chunk_id),
  FOREIGN KEY(tenant, chunk_id) REFERENCES passages (tenant, chunk_id),
  UNIQUE (tenant, embedder, number)
);
CREATE INDEX ledgers_by_age ON ledgers (tenant, saved_at);
CREATE INDEX documents_by_collection ON documents (tenant, collection_id);
CREATE INDEX ledger_entries_in_order ON ledger_entries (tenant, client, number);
CREATE INDEX versions_by_file ON versions (tenant, file_hash);
CREATE INDEX passages_by_put ON passages (tenant, put_seq);
CREATE INDEX passages_by_document ON passages (tenant, document_id);
CREATE INDEX places_by_version ON places (tenant, document_id, version, ordinal);
CREATE INDEX vectors_by_passage ON vectors (tenant, chunk_id);
INSERT INTO meta VALUES ('schema', '4');
INSERT INTO counters VALUES ('local', 'seq', 12);
INSERT INTO collections VALUES ('local', '49b19200-3255-47e1-a166-c93c0670007a', 'handbook', 'flat', NULL, NULL, '2026-12-01T03:33:16.279145+00:00');
INSERT INTO collections VALUES ('local', '781bfa30-a72d-4031-9b3b-dad189f1a2c1', 'old', 'flat', NULL, NULL, '2026-12-01T03:33:16.307073+00:00');
INSERT INTO changes VALUES ('local', 1, '49b19200-3255-47e1-a166-c93c0670007a', '704717a2-008b-5853-bd21-ccca65971c88', '402dcc05-eb4e-5d1b-b7e3-1ce5f83415bd', 'put');
INSERT INTO changes VALUES ('local', 2, '49b19200-3255-47e1-a166-c93c0670007a', '704717a2-008b-5853-bd21-ccca65971c88', '0ede1a55-583c-54e4-8171-840d29880021', 'put');
INSERT INTO changes VALUES ('local', 3, '49b19200-3255-47e1-a166-c93c0670007a', '704717a2-008b-5853-bd21-ccca65971c88', '63e46d52-07ad-57c8-a3a3-b1b281bf27f3', 'put');
INSERT INTO changes VALUES ('local', 4, '49b19200-3255-47e1-a166-c93c0670007a', 'b3d60492-715f-534d-b808-c4ac8d1e396a', '49c92430-271c-57d7-9c18-0a25c32480b7', 'put');
INSERT INTO changes VALUES ('local', 5, '49b19200-3255-47e1-a166-c93c0670007a', 'b3d60492-715f-534d-b808-c4ac8d1e396a', 'b2e7e968-1801-5891-8bb1-24858657a4c3', 'put');
INSERT INTO changes VALUES ('local', 6, '49b19200-3255-47e1-a166-c93c0670007a', 'b3d60492-715f-534d-b808-c4ac8d1e396a', 'b2e7e968-1801-5891-8bb1-24858657a4c3', 'drop');
INSERT INTO changes VALUES ('local', 7, '49b19200-3255-47e1-a166-c93c0670007a', 'b3d60492-715f-534d-b808-c4ac8d1e396a', 'aab05754-a270-5f52-84a1-0f2f612f74a1', 'put');
INSERT INTO changes VALUES ('local', 8, '49b19200-3255-47e1-a166-c93c0670007a', 'b3d60492-715f-534d-b808-c4ac8d1e396a', 'a4e2eb06-f862-5366-917d-f965a47c65a9', 'put');
INSERT INTO changes VALUES ('local', 9, '781bfa30-a72d-4031-9b3b-dad189f1a2c1', 'df879cf6-3b6c-53e9-a9cc-223550c59328', '9033c840-ec20-5550-a42d-e455e85d6c56', 'put');
INSERT INTO changes VALUES ('local', 10, '781bfa30-a72d-4031-9b3b-dad189f1a2c1', 'df879cf6-3b6c-53e9-a9cc-223550c59328', '3d38d24d-d112-5eb9-944a-2f832070154f', 'put');
INSERT INTO changes VALUES ('local', 11, '781bfa30-a72d-4031-9b3b-dad189f1a2c1', 'df879cf6-3b6c-53e9-a9cc-223550c59328', '9033c840-ec20-5550-a42d-e455e85d6c56', 'drop');
INSERT INTO changes VALUES ('local', 12, '781bfa30-a72d-4031-9b3b-dad189f1a2c1', 'df879cf6-3b6c-53e9-a9cc-223550c59328', '3d38d24d-d112-5eb9-944a-2f832070154f', 'drop');
INSERT INTO conversations VALUES ('local', 'talk-1', '2026-11-30T00:00:00Z', '{"turns":[1,2]}');
INSERT INTO ledgers VALUES ('local', '7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed', 1796000000.0, TRUE, 6, 6);
INSERT INTO ledgers VALUES ('local', '3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3', 1796000000.0, TRUE, 1, 1);
INSERT INTO ledgers VALUES ('local', '8b5b9db0c13db24256c829aa364aa90c6d2eba318b9232a4ab9313b954d3555f', 1796000000.0, TRUE, 0, 0);
INSERT INTO documents VALUES ('local', '704717a2-008b-5853-bd21-ccca65971c88', '49b19200-3255-47e1-a166-c93c0670007a', 'upload://expenses.txt', NULL, 'Expenses', '200e5d0fc8a0c618', '2026-12-01T03:33:16.285957+00:00', NULL);
INSERT INTO documents VALUES ('local', 'b3d60492-715f-534d-b808-c4ac8d1e396a', '49b19200-3255-47e1-a166-c93c0670007a', 'upload://travel.txt', NULL, 'Travel', 'a6b47e6a3cbb807e', '2026-12-01T03:33:16.295974+00:00', NULL);
INSERT INTO documents VALUES ('local', 'df879cf6-3b6c-53e9-a9cc-223550c59328', '781bfa30-a72d-4031-9b3b-dad189f1a2c1', '', NULL, '', '32271badde506afc', '2026-12-01T03:33:16.310269+00:00', '2026-12-01T03:33:16.316829+00:00');
INSERT INTO ledger_entries VALUES ('local', '7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed', 'ev1:c:704717a2-008b-5853-bd21-ccca65971c88:200e5d0fc8a0c618:402dcc05-eb4e-5d1b-b7e3-1ce5f83415bd', 1, '{"evidence_id":"ev1:c:704717a2-008b-5853-bd21-ccca65971c88:200e5d0fc8a0c618:402dcc05-eb4e-5d1b-b7e3-1ce5f83415bd","span":null,"length":8}');
INSERT INTO ledger_entries VALUES ('local', '7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed', 'ev1:c:704717a2-008b-5853-bd21-ccca65971c88:200e5d0fc8a0c618:0ede1a55-583c-54e4-8171-840d29880021', 2, '{"evidence_id":"ev1:c:704717a2-008b-5853-bd21-ccca65971c88:200e5d0fc8a0c618:0ede1a55-583c-54e4-8171-840d29880021","span":null,"length":37}');
INSERT INTO ledger_entries VALUES ('local', '7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed', 'ev1:c:704717a2-008b-5853-bd21-ccca65971c88:200e5d0fc8a0c618:63e46d52-07ad-57c8-a3a3-b1b281bf27f3', 3, '{"evidence_id":"ev1:c:704717a2-008b-5853-bd21-ccca65971c88:200e5d0fc8a0c618:63e46d52-07ad-57c8-a3a3-b1b281bf27f3","span":null,"length":48}');
INSERT INTO ledger_entries VALUES ('local', '7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed', 'ev1:c:b3d60492-715f-534d-b808-c4ac8d1e396a:a6b47e6a3cbb807e:49c92430-271c-57d7-9c18-0a25c32480b7', 4, '{"evidence_id":"ev1:c:b3d60492-715f-534d-b808-c4ac8d1e396a:a6b47e6a3cbb807e:49c92430-271c-57d7-9c18-0a25c32480b7","span":null,"length":6}');
INSERT INTO ledger_entries VALUES ('local', '7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed', 'ev1:c:b3d60492-715f-534d-b808-c4ac8d1e396a:a6b47e6a3cbb807e:aab05754-a270-5f52-84a1-0f2f612f74a1', 5, '{"evidence_id":"ev1:c:b3d60492-715f-534d-b808-c4ac8d1e396a:a6b47e6a3cbb807e:aab05754-a270-5f52-84a1-0f2f612f74a1","span":null,"length":14}');
INSERT INTO ledger_entries VALUES ('local', '7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed', 'ev1:c:b3d60492-715f-534d-b808-c4ac8d1e396a:a6b47e6a3cbb807e:a4e2eb06-f862-5366-917d-f965a47c65a9', 6, '{"evidence_id":"ev1:c:b3d60492-715f-534d-b808-c4ac8d1e396a:a6b47e6a3cbb807e:a4e2eb06-f862-5366-917d-f965a47c65a9","span":null,"length":21}');
INSERT INTO ledger_entries VALUES ('local', '3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3', 'ev1:s:704717a2-008b-5853-bd21-ccca65971c88:200e5d0fc8a0c618:0-8', 1, '{"evidence_id":"ev1:s:704717a2-008b-5853-bd21-ccca65971c88:200e5d0fc8a0c618:0-8","span":"ev1:s:704717a2-008b-5853-bd21-ccca65971c88:200e5d0fc8a0c618:0-8"}');
INSERT INTO versions VALUES ('local', '704717a2-008b-5853-bd21-ccca65971c88', '200e5d0fc8a0c618', 1, 'text/plain', 'lines/1', '200e5d0fc8a0c6186bfd8d9099aedbb256c3110be92edca40b35941e8b08142d', 1, 3, '2026-12-01T03:33:16.287080+00:00', '[]', '[[1,200.0,100.0,0,"i",0,95,false]]', '[["Expenses",1,0]]', NULL, NULL, NULL, 'Expenses
Above 250 euro an approval is needed.
It''s the manager who gives it: 100% of the time.');
INSERT INTO versions VALUES ('local', 'b3d60492-715f-534d-b808-c4ac8d1e396a', '1ace82441814dbc5', 1, 'text/plain', 'lines/1', '1ace82441814dbc523e8224291b692614053341e3de085e16bc1b330ec039e67', 1, 2, '2026-12-01T03:33:16.296393+00:00', '[]', '[[1,200.0,100.0,0,"i",0,55,false]]', '[["Travel",1,0]]', NULL, NULL, NULL, 'Travel
Book by train, where that takes at most 6 hours.');
INSERT INTO versions VALUES ('local', 'b3d60492-715f-534d-b808-c4ac8d1e396a', 'a6b47e6a3cbb807e', 2, 'text/plain', 'lines/1', 'a6b47e6a3cbb807e6e0c4b1e36a2412d277e27cbd406b01c4f51833f548de682', 1, 3, '2026-12-01T03:33:16.303115+00:00', '[]', '[[1,200.0,100.0,0,"i",0,43,false]]', '[["Travel",1,0]]', NULL, NULL, NULL, 'Travel
Book by train.
A taxi is for nights.');
INSERT INTO passages VALUES ('local', '402dcc05-eb4e-5d1b-b7e3-1ce5f83415bd', '704717a2-008b-5853-bd21-ccca65971c88', 1, 'Expenses');
INSERT INTO passages VALUES ('local', '0ede1a55-583c-54e4-8171-840d29880021', '704717a2-008b-5853-bd21-ccca65971c88', 2, 'Above 250 euro an approval is needed.');
INSERT INTO passages VALUES ('local', '63e46d52-07ad-57c8-a3a3-b1b281bf27f3', '704717a2-008b-5853-bd21-ccca65971c88', 3, 'It''s the manager who gives it: 100% of the time.');
INSERT INTO passages VALUES ('local', '49c92430-271c-57d7-9c18-0a25c32480b7', 'b3d60492-715f-534d-b808-c4ac8d1e396a', 4, 'Travel');
INSERT INTO passages VALUES ('local', 'b2e7e968-1801-5891-8bb1-24858657a4c3', 'b3d60492-715f-534d-b808-c4ac8d1e396a', NULL, 'Book by train, where that takes at most 6 hours.');
INSERT INTO passages VALUES ('local', 'aab05754-a270-5f52-84a1-0f2f612f74a1', 'b3d60492-715f-534d-b808-c4ac8d1e396a', 7, 'Book by train.');
INSERT INTO passages VALUES ('local', 'a4e2eb06-f862-5366-917d-f965a47c65a9', 'b3d60492-715f-534d-b808-c4ac8d1e396a', 8, 'A taxi is for nights.');
INSERT INTO places VALUES ('local', '402dcc05-eb4e-5d1b-b7e3-1ce5f83415bd', '200e5d0fc8a0c618', '704717a2-008b-5853-bd21-ccca65971c88', 0, 0, 8, 0, 95, '{"page":1,"page_end":1,"page_label":"i","headings":["Expenses"]}', X'010000009A9999999999B93F0000000000000000555555555555D53FFCA9F1D24D62503F', NULL);
INSERT INTO places VALUES ('local', '0ede1a55-583c-54e4-8171-840d29880021', '200e5d0fc8a0c618', '704717a2-008b-5853-bd21-ccca65971c88', 1, 9, 46, 0, 95, '{"page":1,"page_end":1,"page_label":"i","headings":["Expenses"]}', X'010000009A9999999999B93FFCA9F1D24D62503F555555555555D53FFCA9F1D24D62603F', NULL);
INSERT INTO places VALUES ('local', '63e46d52-07ad-57c8-a3a3-b1b281bf27f3', '200e5d0fc8a0c618', '704717a2-008b-5853-bd21-ccca65971c88', 2, 47, 95, 0, 95, '{"page":1,"page_end":1,"page_label":"i","headings":["Expenses"]}', X'010000009A9999999999B93FFCA9F1D24D62603F555555555555D53FFA7E6ABC7493683F', NULL);
INSERT INTO places VALUES ('local', '49c92430-271c-57d7-9c18-0a25c32480b7', '1ace82441814dbc5', 'b3d60492-715f-534d-b808-c4ac8d1e396a', 0, 0, 6, 0, 55, '{"page":1,"page_end":1,"page_label":"i","headings":["Travel"]}', X'010000009A9999999999B93F0000000000000000555555555555D53FFCA9F1D24D62503F', NULL);
INSERT INTO places VALUES ('local', 'b2e7e968-1801-5891-8bb1-24858657a4c3', '1ace82441814dbc5', 'b3d60492-715f-534d-b808-c4ac8d1e396a', 1, 7, 55, 0, 55, '{"page":1,"page_end":1,"page_label":"i","headings":["Travel"]}', X'010000009A9999999999B93FFCA9F1D24D62503F555555555555D53FFCA9F1D24D62603F', NULL);
INSERT INTO places VALUES ('local', '49c92430-271c-57d7-9c18-0a25c32480b7', 'a6b47e6a3cbb807e', 'b3d60492-715f-534d-b808-c4ac8d1e396a', 0, 0, 6, 0, 43, '{"page":1,"page_end":1,"page_label":"i","headings":["Travel"]}', X'010000009A9999999999B93F0000000000000000555555555555D53FFCA9F1D24D62503F', NULL);
INSERT INTO places VALUES ('local', 'aab05754-a270-5f52-84a1-0f2f612f74a1', 'a6b47e6a3cbb807e', 'b3d60492-715f-534d-b808-c4ac8d1e396a', 1, 7, 21, 0, 43, '{"page":1,"page_end":1,"page_label":"i","headings":["Travel"]}', X'010000009A9999999999B93FFCA9F1D24D62503F555555555555D53FFCA9F1D24D62603F', NULL);
INSERT INTO places VALUES ('local', 'a4e2eb06-f862-5366-917d-f965a47c65a9', 'a6b47e6a3cbb807e', 'b3d60492-715f-534d-b808-c4ac8d1e396a', 2, 22, 43, 0, 43, '{"page":1,"page_end":1,"page_label":"i","headings":["Travel"]}', X'010000009A9999999999B93FFCA9F1D24D62603F555555555555D53FFA7E6ABC7493683F', NULL);
INSERT INTO vectors VALUES ('local', 'tiny', '402dcc05-eb4e-5d1b-b7e3-1ce5f83415bd', 0, X'00FF27');
