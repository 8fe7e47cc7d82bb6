-- A library as the first pincite that had one wrote it.
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
CREATE INDEX documents_by_collection ON documents (tenant, collection_id);
CREATE INDEX versions_by_file ON versions (tenant, file_hash);
CREATE INDEX passages_by_put ON passages (tenant, put_seq);
CREATE INDEX passages_by_document ON passages (tenant, document_id);
CREATE INDEX places_by_version ON places (tenant, document_id, version, ordinal);
CREATE INDEX vectors_by_passage ON vectors (tenant, chunk_id);
INSERT INTO meta VALUES ('schema', '1');
INSERT INTO counters VALUES ('local', 'seq', 12);
INSERT INTO collections VALUES ('local', 'a6ddd8ff-499f-40f9-af96-e5e9bb0f1f08', 'handbook', 'flat', NULL, NULL, '2026-12-01T03:33:15.393263+00:00');
INSERT INTO collections VALUES ('local', 'a56385b7-e68b-4096-be79-abd424d3b8a0', 'old', 'flat', NULL, NULL, '2026-12-01T03:33:15.419823+00:00');
INSERT INTO changes VALUES ('local', 1, 'a6ddd8ff-499f-40f9-af96-e5e9bb0f1f08', 'ad7de2a9-0926-5186-a5c1-955124b65f1f', '22e9dd33-87b5-5c59-a6c3-d8eb6b3dfa8a', 'put');
INSERT INTO changes VALUES ('local', 2, 'a6ddd8ff-499f-40f9-af96-e5e9bb0f1f08', 'ad7de2a9-0926-5186-a5c1-955124b65f1f', '79b4a0d3-60da-548e-8b80-87e43e816dcd', 'put');
INSERT INTO changes VALUES ('local', 3, 'a6ddd8ff-499f-40f9-af96-e5e9bb0f1f08', 'ad7de2a9-0926-5186-a5c1-955124b65f1f', '64461772-6456-5333-bf59-03d8f4e41a11', 'put');
INSERT INTO changes VALUES ('local', 4, 'a6ddd8ff-499f-40f9-af96-e5e9bb0f1f08', '406a76fc-262a-5393-b5d0-af4f28da95c0', 'b8ce42b2-4880-5e38-87ed-228ab4b422be', 'put');
INSERT INTO changes VALUES ('local', 5, 'a6ddd8ff-499f-40f9-af96-e5e9bb0f1f08', '406a76fc-262a-5393-b5d0-af4f28da95c0', '18104d75-6adc-541a-baf3-708a41357fc9', 'put');
INSERT INTO changes VALUES ('local', 6, 'a6ddd8ff-499f-40f9-af96-e5e9bb0f1f08', '406a76fc-262a-5393-b5d0-af4f28da95c0', '18104d75-6adc-541a-baf3-708a41357fc9', 'drop');
INSERT INTO changes VALUES ('local', 7, 'a6ddd8ff-499f-40f9-af96-e5e9bb0f1f08', '406a76fc-262a-5393-b5d0-af4f28da95c0', 'f996e26f-e9d8-568d-9cda-11bf5e96ef77', 'put');
INSERT INTO changes VALUES ('local', 8, 'a6ddd8ff-499f-40f9-af96-e5e9bb0f1f08', '406a76fc-262a-5393-b5d0-af4f28da95c0', 'a7982be4-8f76-50f0-8fe8-088f6630a6c1', 'put');
INSERT INTO changes VALUES ('local', 9, 'a56385b7-e68b-4096-be79-abd424d3b8a0', 'cef9561a-999c-5d83-a1af-b585736f6c2a', 'cbf39edd-04d1-5b75-b210-f4a3485f9619', 'put');
INSERT INTO changes VALUES ('local', 10, 'a56385b7-e68b-4096-be79-abd424d3b8a0', 'cef9561a-999c-5d83-a1af-b585736f6c2a', 'abb8e248-a667-5c9e-a4da-f8e43830990d', 'put');
INSERT INTO changes VALUES ('local', 11, 'a56385b7-e68b-4096-be79-abd424d3b8a0', 'cef9561a-999c-5d83-a1af-b585736f6c2a', 'cbf39edd-04d1-5b75-b210-f4a3485f9619', 'drop');
INSERT INTO changes VALUES ('local', 12, 'a56385b7-e68b-4096-be79-abd424d3b8a0', 'cef9561a-999c-5d83-a1af-b585736f6c2a', 'abb8e248-a667-5c9e-a4da-f8e43830990d', 'drop');
INSERT INTO conversations VALUES ('local', 'talk-1', '2026-11-30T00:00:00Z', '{"turns":[1,2]}');
INSERT INTO documents VALUES ('local', 'ad7de2a9-0926-5186-a5c1-955124b65f1f', 'a6ddd8ff-499f-40f9-af96-e5e9bb0f1f08', 'upload://expenses.txt', NULL, 'Expenses', '200e5d0fc8a0c618', '2026-12-01T03:33:15.399879+00:00', NULL);
INSERT INTO documents VALUES ('local', '406a76fc-262a-5393-b5d0-af4f28da95c0', 'a6ddd8ff-499f-40f9-af96-e5e9bb0f1f08', 'upload://travel.txt', NULL, 'Travel', 'a6b47e6a3cbb807e', '2026-12-01T03:33:15.410059+00:00', NULL);
INSERT INTO documents VALUES ('local', 'cef9561a-999c-5d83-a1af-b585736f6c2a', 'a56385b7-e68b-4096-be79-abd424d3b8a0', '', NULL, '', '32271badde506afc', '2026-12-01T03:33:15.423187+00:00', '2026-12-01T03:33:15.429034+00:00');
INSERT INTO versions VALUES ('local', 'ad7de2a9-0926-5186-a5c1-955124b65f1f', '200e5d0fc8a0c618', 1, 'text/plain', 'lines/1', '200e5d0fc8a0c6186bfd8d9099aedbb256c3110be92edca40b35941e8b08142d', 1, 3, '2026-12-01T03:33:15.401082+00:00', '[]', '[[1,200.0,100.0,0,"i",0,95]]', '[["Expenses",1,0]]', NULL, 'Expenses
Above 250 euro an approval is needed.
It''s the manager who gives it: 100% of the time.');
INSERT INTO versions VALUES ('local', '406a76fc-262a-5393-b5d0-af4f28da95c0', '1ace82441814dbc5', 1, 'text/plain', 'lines/1', '1ace82441814dbc523e8224291b692614053341e3de085e16bc1b330ec039e67', 1, 2, '2026-12-01T03:33:15.410468+00:00', '[]', '[[1,200.0,100.0,0,"i",0,55]]', '[["Travel",1,0]]', NULL, 'Travel
Book by train, where that takes at most 6 hours.');
INSERT INTO versions VALUES ('local', '406a76fc-262a-5393-b5d0-af4f28da95c0', 'a6b47e6a3cbb807e', 2, 'text/plain', 'lines/1', 'a6b47e6a3cbb807e6e0c4b1e36a2412d277e27cbd406b01c4f51833f548de682', 1, 3, '2026-12-01T03:33:15.416155+00:00', '[]', '[[1,200.0,100.0,0,"i",0,43]]', '[["Travel",1,0]]', NULL, 'Travel
Book by train.
A taxi is for nights.');
INSERT INTO passages VALUES ('local', '22e9dd33-87b5-5c59-a6c3-d8eb6b3dfa8a', 'ad7de2a9-0926-5186-a5c1-955124b65f1f', 1, 'Expenses');
INSERT INTO passages VALUES ('local', '79b4a0d3-60da-548e-8b80-87e43e816dcd', 'ad7de2a9-0926-5186-a5c1-955124b65f1f', 2, 'Above 250 euro an approval is needed.');
INSERT INTO passages VALUES ('local', '64461772-6456-5333-bf59-03d8f4e41a11', 'ad7de2a9-0926-5186-a5c1-955124b65f1f', 3, 'It''s the manager who gives it: 100% of the time.');
INSERT INTO passages VALUES ('local', 'b8ce42b2-4880-5e38-87ed-228ab4b422be', '406a76fc-262a-5393-b5d0-af4f28da95c0', 4, 'Travel');
INSERT INTO passages VALUES ('local', '18104d75-6adc-541a-baf3-708a41357fc9', '406a76fc-262a-5393-b5d0-af4f28da95c0', NULL, 'Book by train, where that takes at most 6 hours.');
INSERT INTO passages VALUES ('local', 'f996e26f-e9d8-568d-9cda-11bf5e96ef77', '406a76fc-262a-5393-b5d0-af4f28da95c0', 7, 'Book by train.');
INSERT INTO passages VALUES ('local', 'a7982be4-8f76-50f0-8fe8-088f6630a6c1', '406a76fc-262a-5393-b5d0-af4f28da95c0', 8, 'A taxi is for nights.');
INSERT INTO places VALUES ('local', '22e9dd33-87b5-5c59-a6c3-d8eb6b3dfa8a', '200e5d0fc8a0c618', 'ad7de2a9-0926-5186-a5c1-955124b65f1f', 0, 0, 8, 0, 95, '{"page":1,"page_end":1,"page_label":"i","headings":["Expenses"]}', X'010000009A9999999999B93F0000000000000000555555555555D53FFCA9F1D24D62503F');
INSERT INTO places VALUES ('local', '79b4a0d3-60da-548e-8b80-87e43e816dcd', '200e5d0fc8a0c618', 'ad7de2a9-0926-5186-a5c1-955124b65f1f', 1, 9, 46, 0, 95, '{"page":1,"page_end":1,"page_label":"i","headings":["Expenses"]}', X'010000009A9999999999B93FFCA9F1D24D62503F555555555555D53FFCA9F1D24D62603F');
INSERT INTO places VALUES ('local', '64461772-6456-5333-bf59-03d8f4e41a11', '200e5d0fc8a0c618', 'ad7de2a9-0926-5186-a5c1-955124b65f1f', 2, 47, 95, 0, 95, '{"page":1,"page_end":1,"page_label":"i","headings":["Expenses"]}', X'010000009A9999999999B93FFCA9F1D24D62603F555555555555D53FFA7E6ABC7493683F');
INSERT INTO places VALUES ('local', 'b8ce42b2-4880-5e38-87ed-228ab4b422be', '1ace82441814dbc5', '406a76fc-262a-5393-b5d0-af4f28da95c0', 0, 0, 6, 0, 55, '{"page":1,"page_end":1,"page_label":"i","headings":["Travel"]}', X'010000009A9999999999B93F0000000000000000555555555555D53FFCA9F1D24D62503F');
INSERT INTO places VALUES ('local', '18104d75-6adc-541a-baf3-708a41357fc9', '1ace82441814dbc5', '406a76fc-262a-5393-b5d0-af4f28da95c0', 1, 7, 55, 0, 55, '{"page":1,"page_end":1,"page_label":"i","headings":["Travel"]}', X'010000009A9999999999B93FFCA9F1D24D62503F555555555555D53FFCA9F1D24D62603F');
INSERT INTO places VALUES ('local', 'b8ce42b2-4880-5e38-87ed-228ab4b422be', 'a6b47e6a3cbb807e', '406a76fc-262a-5393-b5d0-af4f28da95c0', 0, 0, 6, 0, 43, '{"page":1,"page_end":1,"page_label":"i","headings":["Travel"]}', X'010000009A9999999999B93F0000000000000000555555555555D53FFCA9F1D24D62503F');
INSERT INTO places VALUES ('local', 'f996e26f-e9d8-568d-9cda-11bf5e96ef77', 'a6b47e6a3cbb807e', '406a76fc-262a-5393-b5d0-af4f28da95c0', 1, 7, 21, 0, 43, '{"page":1,"page_end":1,"page_label":"i","headings":["Travel"]}', X'010000009A9999999999B93FFCA9F1D24D62503F555555555555D53FFCA9F1D24D62603F');
INSERT INTO places VALUES ('local', 'a7982be4-8f76-50f0-8fe8-088f6630a6c1', 'a6b47e6a3cbb807e', '406a76fc-262a-5393-b5d0-af4f28da95c0', 2, 22, 43, 0, 43, '{"page":1,"page_end":1,"page_label":"i","headings":["Travel"]}', X'010000009A9999999999B93FFCA9F1D24D62603F555555555555D53FFA7E6ABC7493683F');
INSERT INTO vectors VALUES ('local', 'tiny', '22e9dd33-87b5-5c59-a6c3-d8eb6b3dfa8a', 0, X'00FF27');
