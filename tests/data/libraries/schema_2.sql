-- A library of schema 2 whose ledgers are one column of JSON each.
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
  entries JSON NOT NULL,
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
CREATE INDEX versions_by_file ON versions (tenant, file_hash);
CREATE INDEX passages_by_put ON passages (tenant, put_seq);
CREATE INDEX passages_by_document ON passages (tenant, document_id);
CREATE INDEX places_by_version ON places (tenant, document_id, version, ordinal);
CREATE INDEX vectors_by_passage ON vectors (tenant, chunk_id);
INSERT INTO meta VALUES ('schema', '2');
INSERT INTO counters VALUES ('local', 'seq', 12);
INSERT INTO collections VALUES ('local', '294a30e8-9d30-4755-bc8f-d8c116064399', 'handbook', 'flat', NULL, NULL, '2026-12-01T03:33:15.814800+00:00');
INSERT INTO collections VALUES ('local', 'fe2390ff-90ba-489f-aa72-8693684253a2', 'old', 'flat', NULL, NULL, '2026-12-01T03:33:15.841912+00:00');
INSERT INTO changes VALUES ('local', 1, '294a30e8-9d30-4755-bc8f-d8c116064399', 'e1fb1645-2cf3-55aa-a7be-b2a628beb660', '4ddf0edc-245e-5593-9883-5b36b9b8566b', 'put');
INSERT INTO changes VALUES ('local', 2, '294a30e8-9d30-4755-bc8f-d8c116064399', 'e1fb1645-2cf3-55aa-a7be-b2a628beb660', '46fbb9f9-28ff-53aa-af3e-04387d83259b', 'put');
INSERT INTO changes VALUES ('local', 3, '294a30e8-9d30-4755-bc8f-d8c116064399', 'e1fb1645-2cf3-55aa-a7be-b2a628beb660', '65d7b86b-bb03-596c-8f46-4fd0b60b7920', 'put');
INSERT INTO changes VALUES ('local', 4, '294a30e8-9d30-4755-bc8f-d8c116064399', 'd5582338-4732-5b12-8088-52082f2587a6', '60c9f36d-c641-50d5-8254-f8997827b096', 'put');
INSERT INTO changes VALUES ('local', 5, '294a30e8-9d30-4755-bc8f-d8c116064399', 'd5582338-4732-5b12-8088-52082f2587a6', '96fb37e3-6f21-56b2-bc10-f28528a8eeed', 'put');
INSERT INTO changes VALUES ('local', 6, '294a30e8-9d30-4755-bc8f-d8c116064399', 'd5582338-4732-5b12-8088-52082f2587a6', '96fb37e3-6f21-56b2-bc10-f28528a8eeed', 'drop');
INSERT INTO changes VALUES ('local', 7, '294a30e8-9d30-4755-bc8f-d8c116064399', 'd5582338-4732-5b12-8088-52082f2587a6', '9746cdf6-23b7-5cd1-8ffd-03a3d01cab31', 'put');
INSERT INTO changes VALUES ('local', 8, '294a30e8-9d30-4755-bc8f-d8c116064399', 'd5582338-4732-5b12-8088-52082f2587a6', '8d978cf2-eb87-501f-be74-cb5cc3a93c61', 'put');
INSERT INTO changes VALUES ('local', 9, 'fe2390ff-90ba-489f-aa72-8693684253a2', '74ba4a97-cb95-5216-a4a4-b4314f9a24b1', 'ba564be5-5a6e-59df-8e35-cddd5ab8250c', 'put');
INSERT INTO changes VALUES ('local', 10, 'fe2390ff-90ba-489f-aa72-8693684253a2', '74ba4a97-cb95-5216-a4a4-b4314f9a24b1', '9568542e-925d-5406-b353-bf6027a99bea', 'put');
INSERT INTO changes VALUES ('local', 11, 'fe2390ff-90ba-489f-aa72-8693684253a2', '74ba4a97-cb95-5216-a4a4-b4314f9a24b1', 'ba564be5-5a6e-59df-8e35-cddd5ab8250c', 'drop');
INSERT INTO changes VALUES ('local', 12, 'fe2390ff-90ba-489f-aa72-8693684253a2', '74ba4a97-cb95-5216-a4a4-b4314f9a24b1', '9568542e-925d-5406-b353-bf6027a99bea', 'drop');
INSERT INTO conversations VALUES ('local', 'talk-1', '2026-11-30T00:00:00Z', '{"turns":[1,2]}');
INSERT INTO ledgers VALUES ('local', '7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed', 1796000000.0, '[{"evidence_id":"ev1:c:e1fb1645-2cf3-55aa-a7be-b2a628beb660:200e5d0fc8a0c618:4ddf0edc-245e-5593-9883-5b36b9b8566b","span":null,"length":8},{"evidence_id":"ev1:c:e1fb1645-2cf3-55aa-a7be-b2a628beb660:200e5d0fc8a0c618:46fbb9f9-28ff-53aa-af3e-04387d83259b","span":null,"length":37},{"evidence_id":"ev1:c:e1fb1645-2cf3-55aa-a7be-b2a628beb660:200e5d0fc8a0c618:65d7b86b-bb03-596c-8f46-4fd0b60b7920","span":null,"length":48},{"evidence_id":"ev1:c:d5582338-4732-5b12-8088-52082f2587a6:a6b47e6a3cbb807e:60c9f36d-c641-50d5-8254-f8997827b096","span":null,"length":6},{"evidence_id":"ev1:c:d5582338-4732-5b12-8088-52082f2587a6:a6b47e6a3cbb807e:9746cdf6-23b7-5cd1-8ffd-03a3d01cab31","span":null,"length":14},{"evidence_id":"ev1:c:d5582338-4732-5b12-8088-52082f2587a6:a6b47e6a3cbb807e:8d978cf2-eb87-501f-be74-cb5cc3a93c61","span":null,"length":21}]');
INSERT INTO ledgers VALUES ('local', '3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3', 1796000000.0, '[{"evidence_id":"ev1:s:e1fb1645-2cf3-55aa-a7be-b2a628beb660:200e5d0fc8a0c618:0-8","span":"ev1:s:e1fb1645-2cf3-55aa-a7be-b2a628beb660:200e5d0fc8a0c618:0-8"}]');
INSERT INTO ledgers VALUES ('local', '8b5b9db0c13db24256c829aa364aa90c6d2eba318b9232a4ab9313b954d3555f', 1796000000.0, '[]');
INSERT INTO documents VALUES ('local', 'e1fb1645-2cf3-55aa-a7be-b2a628beb660', '294a30e8-9d30-4755-bc8f-d8c116064399', 'upload://expenses.txt', NULL, 'Expenses', '200e5d0fc8a0c618', '2026-12-01T03:33:15.822606+00:00', NULL);
INSERT INTO documents VALUES ('local', 'd5582338-4732-5b12-8088-52082f2587a6', '294a30e8-9d30-4755-bc8f-d8c116064399', 'upload://travel.txt', NULL, 'Travel', 'a6b47e6a3cbb807e', '2026-12-01T03:33:15.831675+00:00', NULL);
INSERT INTO documents VALUES ('local', '74ba4a97-cb95-5216-a4a4-b4314f9a24b1', 'fe2390ff-90ba-489f-aa72-8693684253a2', '', NULL, '', '32271badde506afc', '2026-12-01T03:33:15.844933+00:00', '2026-12-01T03:33:15.851007+00:00');
INSERT INTO versions VALUES ('local', 'e1fb1645-2cf3-55aa-a7be-b2a628beb660', '200e5d0fc8a0c618', 1, 'text/plain', 'lines/1', '200e5d0fc8a0c6186bfd8d9099aedbb256c3110be92edca40b35941e8b08142d', 1, 3, '2026-12-01T03:33:15.823816+00:00', '[]', '[[1,200.0,100.0,0,"i",0,95]]', '[["Expenses",1,0]]', NULL, 'Expenses
Above 250 euro an approval is needed.
It''s the manager who gives it: 100% of the time.');
INSERT INTO versions VALUES ('local', 'd5582338-4732-5b12-8088-52082f2587a6', '1ace82441814dbc5', 1, 'text/plain', 'lines/1', '1ace82441814dbc523e8224291b692614053341e3de085e16bc1b330ec039e67', 1, 2, '2026-12-01T03:33:15.832097+00:00', '[]', '[[1,200.0,100.0,0,"i",0,55]]', '[["Travel",1,0]]', NULL, 'Travel
Book by train, where that takes at most 6 hours.');
INSERT INTO versions VALUES ('local', 'd5582338-4732-5b12-8088-52082f2587a6', 'a6b47e6a3cbb807e', 2, 'text/plain', 'lines/1', 'a6b47e6a3cbb807e6e0c4b1e36a2412d277e27cbd406b01c4f51833f548de682', 1, 3, '2026-12-01T03:33:15.838337+00:00', '[]', '[[1,200.0,100.0,0,"i",0,43]]', '[["Travel",1,0]]', NULL, 'Travel
Book by train.
A taxi is for nights.');
INSERT INTO passages VALUES ('local', '4ddf0edc-245e-5593-9883-5b36b9b8566b', 'e1fb1645-2cf3-55aa-a7be-b2a628beb660', 1, 'Expenses');
INSERT INTO passages VALUES ('local', '46fbb9f9-28ff-53aa-af3e-04387d83259b', 'e1fb1645-2cf3-55aa-a7be-b2a628beb660', 2, 'Above 250 euro an approval is needed.');
INSERT INTO passages VALUES ('local', '65d7b86b-bb03-596c-8f46-4fd0b60b7920', 'e1fb1645-2cf3-55aa-a7be-b2a628beb660', 3, 'It''s the manager who gives it: 100% of the time.');
INSERT INTO passages VALUES ('local', '60c9f36d-c641-50d5-8254-f8997827b096', 'd5582338-4732-5b12-8088-52082f2587a6', 4, 'Travel');
INSERT INTO passages VALUES ('local', '96fb37e3-6f21-56b2-bc10-f28528a8eeed', 'd5582338-4732-5b12-8088-52082f2587a6', NULL, 'Book by train, where that takes at most 6 hours.');
INSERT INTO passages VALUES ('local', '9746cdf6-23b7-5cd1-8ffd-03a3d01cab31', 'd5582338-4732-5b12-8088-52082f2587a6', 7, 'Book by train.');
INSERT INTO passages VALUES ('local', '8d978cf2-eb87-501f-be74-cb5cc3a93c61', 'd5582338-4732-5b12-8088-52082f2587a6', 8, 'A taxi is for nights.');
INSERT INTO places VALUES ('local', '4ddf0edc-245e-5593-9883-5b36b9b8566b', '200e5d0fc8a0c618', 'e1fb1645-2cf3-55aa-a7be-b2a628beb660', 0, 0, 8, 0, 95, '{"page":1,"page_end":1,"page_label":"i","headings":["Expenses"]}', X'010000009A9999999999B93F0000000000000000555555555555D53FFCA9F1D24D62503F');
INSERT INTO places VALUES ('local', '46fbb9f9-28ff-53aa-af3e-04387d83259b', '200e5d0fc8a0c618', 'e1fb1645-2cf3-55aa-a7be-b2a628beb660', 1, 9, 46, 0, 95, '{"page":1,"page_end":1,"page_label":"i","headings":["Expenses"]}', X'010000009A9999999999B93FFCA9F1D24D62503F555555555555D53FFCA9F1D24D62603F');
INSERT INTO places VALUES ('local', '65d7b86b-bb03-596c-8f46-4fd0b60b7920', '200e5d0fc8a0c618', 'e1fb1645-2cf3-55aa-a7be-b2a628beb660', 2, 47, 95, 0, 95, '{"page":1,"page_end":1,"page_label":"i","headings":["Expenses"]}', X'010000009A9999999999B93FFCA9F1D24D62603F555555555555D53FFA7E6ABC7493683F');
INSERT INTO places VALUES ('local', '60c9f36d-c641-50d5-8254-f8997827b096', '1ace82441814dbc5', 'd5582338-4732-5b12-8088-52082f2587a6', 0, 0, 6, 0, 55, '{"page":1,"page_end":1,"page_label":"i","headings":["Travel"]}', X'010000009A9999999999B93F0000000000000000555555555555D53FFCA9F1D24D62503F');
INSERT INTO places VALUES ('local', '96fb37e3-6f21-56b2-bc10-f28528a8eeed', '1ace82441814dbc5', 'd5582338-4732-5b12-8088-52082f2587a6', 1, 7, 55, 0, 55, '{"page":1,"page_end":1,"page_label":"i","headings":["Travel"]}', X'010000009A9999999999B93FFCA9F1D24D62503F555555555555D53FFCA9F1D24D62603F');
INSERT INTO places VALUES ('local', '60c9f36d-c641-50d5-8254-f8997827b096', 'a6b47e6a3cbb807e', 'd5582338-4732-5b12-8088-52082f2587a6', 0, 0, 6, 0, 43, '{"page":1,"page_end":1,"page_label":"i","headings":["Travel"]}', X'010000009A9999999999B93F0000000000000000555555555555D53FFCA9F1D24D62503F');
INSERT INTO places VALUES ('local', '9746cdf6-23b7-5cd1-8ffd-03a3d01cab31', 'a6b47e6a3cbb807e', 'd5582338-4732-5b12-8088-52082f2587a6', 1, 7, 21, 0, 43, '{"page":1,"page_end":1,"page_label":"i","headings":["Travel"]}', X'010000009A9999999999B93FFCA9F1D24D62503F555555555555D53FFCA9F1D24D62603F');
INSERT INTO places VALUES ('local', '8d978cf2-eb87-501f-be74-cb5cc3a93c61', 'a6b47e6a3cbb807e', 'd5582338-4732-5b12-8088-52082f2587a6', 2, 22, 43, 0, 43, '{"page":1,"page_end":1,"page_label":"i","headings":["Travel"]}', X'010000009A9999999999B93FFCA9F1D24D62603F555555555555D53FFA7E6ABC7493683F');
INSERT INTO vectors VALUES ('local', 'tiny', '4ddf0edc-245e-5593-9883-5b36b9b8566b', 0, X'00FF27');
