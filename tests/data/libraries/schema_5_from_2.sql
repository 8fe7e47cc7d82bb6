-- The library of schema 2 after a pincite of schema 5 opened it, which added what was absent and left the ledgers in their old form.
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
  added_at VARCHAR(40) NOT NULL, embedder VARCHAR(255), removed_at VARCHAR(40),
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
  state JSON NOT NULL, owner VARCHAR(64), agent_id VARCHAR(36), title TEXT, changed_at VARCHAR(40),
  PRIMARY KEY (tenant, conversation_id)
);
CREATE TABLE ledgers (
  tenant VARCHAR(64) NOT NULL,
  client VARCHAR(64) NOT NULL,
  saved_at FLOAT NOT NULL,
  entries JSON NOT NULL, returned BOOLEAN, last BIGINT,
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
  removed_at VARCHAR(40), trashed_at VARCHAR(40), metadata JSON,
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
  text TEXT NOT NULL, regions JSON, doubts JSON,
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
  boxes BLOB NOT NULL, doubt TEXT,
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
CREATE TABLE bibliographies (
  tenant VARCHAR(64) NOT NULL,
  document_id VARCHAR(36) NOT NULL,
  found JSON NOT NULL,
  given JSON NOT NULL,
  PRIMARY KEY (tenant, document_id),
  FOREIGN KEY(tenant, document_id) REFERENCES documents (tenant, document_id)
);
CREATE TABLE page_layouts (
  tenant VARCHAR(64) NOT NULL,
  document_id VARCHAR(36) NOT NULL,
  version VARCHAR(16) NOT NULL,
  page INTEGER NOT NULL,
  layout BLOB NOT NULL,
  PRIMARY KEY (tenant, document_id, version, page),
  FOREIGN KEY(tenant, document_id, version) REFERENCES versions (tenant, document_id, version)
);
CREATE TABLE origins (
  tenant VARCHAR(64) NOT NULL,
  document_id VARCHAR(36) NOT NULL,
  origin VARCHAR(64) NOT NULL,
  PRIMARY KEY (tenant, document_id)
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
CREATE TABLE tenants (
  tenant VARCHAR(64) NOT NULL,
  title TEXT NOT NULL,
  added_at VARCHAR(40) NOT NULL,
  PRIMARY KEY (tenant)
);
CREATE TABLE directory (
  digest VARCHAR(64) NOT NULL,
  tenant VARCHAR(64) NOT NULL,
  kind VARCHAR(8) NOT NULL,
  id VARCHAR(36) NOT NULL,
  PRIMARY KEY (digest)
);
CREATE TABLE api_keys (
  tenant VARCHAR(64) NOT NULL,
  key_id VARCHAR(36) NOT NULL,
  name TEXT NOT NULL,
  scopes JSON NOT NULL,
  hint VARCHAR(4) NOT NULL,
  digest VARCHAR(64) NOT NULL,
  created_at VARCHAR(40) NOT NULL,
  last_used_at VARCHAR(40),
  revoked_at VARCHAR(40),
  PRIMARY KEY (tenant, key_id)
);
CREATE TABLE agents (
  tenant VARCHAR(64) NOT NULL,
  agent_id VARCHAR(36) NOT NULL,
  kind VARCHAR(16) NOT NULL,
  name TEXT NOT NULL,
  collections JSON NOT NULL,
  wire_format VARCHAR(64) NOT NULL,
  model TEXT,
  highlight VARCHAR(32) NOT NULL,
  instructions TEXT NOT NULL,
  citable_resources JSON,
  citation_processor JSON NOT NULL,
  created_at VARCHAR(40) NOT NULL,
  changed_at VARCHAR(40) NOT NULL,
  PRIMARY KEY (tenant, agent_id)
);
CREATE TABLE embeds (
  tenant VARCHAR(64) NOT NULL,
  embed_id VARCHAR(36) NOT NULL,
  agent_id VARCHAR(36) NOT NULL,
  name TEXT NOT NULL,
  hint VARCHAR(4) NOT NULL,
  digest VARCHAR(64) NOT NULL,
  allowed_origins JSON NOT NULL,
  greeting TEXT NOT NULL,
  theme JSON NOT NULL,
  highlight VARCHAR(32),
  previews BOOLEAN NOT NULL,
  created_at VARCHAR(40) NOT NULL,
  revoked_at VARCHAR(40),
  PRIMARY KEY (tenant, embed_id)
);
CREATE TABLE grants (
  tenant VARCHAR(64) NOT NULL,
  visitor VARCHAR(64) NOT NULL,
  chunk_id VARCHAR(36) NOT NULL,
  version VARCHAR(16) NOT NULL,
  granted_at FLOAT NOT NULL,
  expires_at FLOAT NOT NULL,
  PRIMARY KEY (tenant, visitor, chunk_id, version),
  FOREIGN KEY(tenant, chunk_id) REFERENCES passages (tenant, chunk_id)
);
CREATE TABLE audit (
  tenant VARCHAR(64) NOT NULL,
  number BIGINT NOT NULL,
  at FLOAT NOT NULL,
  who VARCHAR(80) NOT NULL,
  action VARCHAR(64) NOT NULL,
  document_id VARCHAR(36),
  chunk_id VARCHAR(36),
  request_id VARCHAR(128),
  PRIMARY KEY (tenant, number)
);
CREATE TABLE indexes (
  tenant VARCHAR(64) NOT NULL,
  name VARCHAR(64) NOT NULL,
  table_name VARCHAR(64) NOT NULL,
  version BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  number BIGINT NOT NULL,
  holder VARCHAR(36),
  held_until FLOAT,
  PRIMARY KEY (tenant, name)
);
CREATE TABLE jobs (
  tenant VARCHAR(64) NOT NULL,
  job_id VARCHAR(36) NOT NULL,
  number BIGINT NOT NULL,
  kind VARCHAR(32) NOT NULL,
  state VARCHAR(16) NOT NULL,
  request_key VARCHAR(255),
  attempts INTEGER NOT NULL,
  stop_asked BOOLEAN NOT NULL,
  worker VARCHAR(255),
  created_at FLOAT NOT NULL,
  ready_at FLOAT NOT NULL,
  lease_until FLOAT,
  started_at FLOAT,
  finished_at FLOAT,
  payload JSON NOT NULL,
  progress JSON NOT NULL,
  result JSON,
  error JSON,
  PRIMARY KEY (tenant, job_id),
  UNIQUE (tenant, number),
  UNIQUE (tenant, request_key)
);
CREATE TABLE held_files (
  tenant VARCHAR(64) NOT NULL,
  file_hash VARCHAR(64) NOT NULL,
  holder VARCHAR(36) NOT NULL,
  until FLOAT,
  PRIMARY KEY (tenant, file_hash, holder)
);
CREATE TABLE messages (
  tenant VARCHAR(64) NOT NULL,
  conversation_id VARCHAR(255) NOT NULL,
  number BIGINT NOT NULL,
  role VARCHAR(16) NOT NULL,
  at VARCHAR(40) NOT NULL,
  body JSON NOT NULL,
  PRIMARY KEY (tenant, conversation_id, number),
  FOREIGN KEY(tenant, conversation_id) REFERENCES conversations (tenant, conversation_id) ON DELETE CASCADE
);
CREATE TABLE job_locks (
  tenant VARCHAR(64) NOT NULL,
  job_id VARCHAR(36) NOT NULL,
  name VARCHAR(255) NOT NULL,
  held BOOLEAN NOT NULL,
  PRIMARY KEY (tenant, job_id, name),
  FOREIGN KEY(tenant, job_id) REFERENCES jobs (tenant, job_id) ON DELETE CASCADE
);
CREATE TABLE message_documents (
  tenant VARCHAR(64) NOT NULL,
  conversation_id VARCHAR(255) NOT NULL,
  number BIGINT NOT NULL,
  document_id VARCHAR(36) NOT NULL,
  PRIMARY KEY (tenant, conversation_id, number, document_id),
  FOREIGN KEY(tenant, conversation_id, number) REFERENCES messages (tenant, conversation_id, number) ON DELETE CASCADE
);
CREATE INDEX ledgers_by_age ON ledgers (tenant, saved_at);
CREATE INDEX documents_by_collection ON documents (tenant, collection_id);
CREATE INDEX versions_by_file ON versions (tenant, file_hash);
CREATE INDEX passages_by_document ON passages (tenant, document_id);
CREATE INDEX passages_by_put ON passages (tenant, put_seq);
CREATE INDEX places_by_version ON places (tenant, document_id, version, ordinal);
CREATE INDEX vectors_by_passage ON vectors (tenant, chunk_id);
CREATE INDEX ledger_entries_in_order ON ledger_entries (tenant, client, number);
CREATE INDEX directory_by_id ON directory (id);
CREATE INDEX embeds_by_agent ON embeds (tenant, agent_id);
CREATE INDEX grants_by_passage ON grants (tenant, chunk_id);
CREATE INDEX grants_by_age ON grants (tenant, expires_at);
CREATE INDEX audit_by_age ON audit (tenant, at);
CREATE INDEX jobs_open ON jobs (tenant, ready_at) WHERE finished_at IS NULL;
CREATE INDEX held_files_by_holder ON held_files (tenant, holder);
CREATE UNIQUE INDEX job_locks_held ON job_locks (tenant, name) WHERE held;
CREATE INDEX message_documents_by_document ON message_documents (tenant, document_id);
INSERT INTO meta VALUES ('schema', '5');
INSERT INTO counters VALUES ('local', 'seq', 12);
INSERT INTO collections VALUES ('local', 'fcace9af-34c9-4469-84d7-67061c02c181', 'handbook', 'flat', NULL, NULL, '2026-12-01T03:33:16.713903+00:00', NULL, NULL);
INSERT INTO collections VALUES ('local', '62a50074-88c4-49c7-a52f-0a5b70aa69c9', 'old', 'flat', NULL, NULL, '2026-12-01T03:33:16.739879+00:00', NULL, NULL);
INSERT INTO changes VALUES ('local', 1, 'fcace9af-34c9-4469-84d7-67061c02c181', '818bd295-dbd5-5ff1-861b-1a62ef7d1cf9', '6d400068-a584-55bd-9529-b5a5fcbb1011', 'put');
INSERT INTO changes VALUES ('local', 2, 'fcace9af-34c9-4469-84d7-67061c02c181', '818bd295-dbd5-5ff1-861b-1a62ef7d1cf9', '0bd4ae8b-488a-5190-9425-1ec9d3f5f4d2', 'put');
INSERT INTO changes VALUES ('local', 3, 'fcace9af-34c9-4469-84d7-67061c02c181', '818bd295-dbd5-5ff1-861b-1a62ef7d1cf9', '39d03c90-2eb1-597d-9bfa-0d2897654923', 'put');
INSERT INTO changes VALUES ('local', 4, 'fcace9af-34c9-4469-84d7-67061c02c181', '0772a373-4593-5807-b2be-7c07036e9d3e', '91a62017-e6df-552f-9304-142f10bbf0e4', 'put');
INSERT INTO changes VALUES ('local', 5, 'fcace9af-34c9-4469-84d7-67061c02c181', '0772a373-4593-5807-b2be-7c07036e9d3e', 'd918b72c-1eab-5950-98f4-533e955e8a2f', 'put');
INSERT INTO changes VALUES ('local', 6, 'fcace9af-34c9-4469-84d7-67061c02c181', '0772a373-4593-5807-b2be-7c07036e9d3e', 'd918b72c-1eab-5950-98f4-533e955e8a2f', 'drop');
INSERT INTO changes VALUES ('local', 7, 'fcace9af-34c9-4469-84d7-67061c02c181', '0772a373-4593-5807-b2be-7c07036e9d3e', 'ead10659-f756-57bd-96de-720190184654', 'put');
INSERT INTO changes VALUES ('local', 8, 'fcace9af-34c9-4469-84d7-67061c02c181', '0772a373-4593-5807-b2be-7c07036e9d3e', 'c401b78d-784a-517b-81d4-08a30c9c7da3', 'put');
INSERT INTO changes VALUES ('local', 9, '62a50074-88c4-49c7-a52f-0a5b70aa69c9', '3206fdf4-a5f1-5744-ab0d-0a0741cd20aa', '1c6f9850-b68e-5cff-9141-00a9cd6342ef', 'put');
INSERT INTO changes VALUES ('local', 10, '62a50074-88c4-49c7-a52f-0a5b70aa69c9', '3206fdf4-a5f1-5744-ab0d-0a0741cd20aa', 'a58ae230-d851-56a0-88dd-cd867df3ca75', 'put');
INSERT INTO changes VALUES ('local', 11, '62a50074-88c4-49c7-a52f-0a5b70aa69c9', '3206fdf4-a5f1-5744-ab0d-0a0741cd20aa', '1c6f9850-b68e-5cff-9141-00a9cd6342ef', 'drop');
INSERT INTO changes VALUES ('local', 12, '62a50074-88c4-49c7-a52f-0a5b70aa69c9', '3206fdf4-a5f1-5744-ab0d-0a0741cd20aa', 'a58ae230-d851-56a0-88dd-cd867df3ca75', 'drop');
INSERT INTO conversations VALUES ('local', 'talk-1', '2026-11-30T00:00:00Z', '{"turns":[1,2]}', NULL, NULL, NULL, NULL);
INSERT INTO ledgers VALUES ('local', '7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed', 1796000000.0, '[{"evidence_id":"ev1:c:818bd295-dbd5-5ff1-861b-1a62ef7d1cf9:200e5d0fc8a0c618:6d400068-a584-55bd-9529-b5a5fcbb1011","span":null,"length":8},{"evidence_id":"ev1:c:818bd295-dbd5-5ff1-861b-1a62ef7d1cf9:200e5d0fc8a0c618:0bd4ae8b-488a-5190-9425-1ec9d3f5f4d2","span":null,"length":37},{"evidence_id":"ev1:c:818bd295-dbd5-5ff1-861b-1a62ef7d1cf9:200e5d0fc8a0c618:39d03c90-2eb1-597d-9bfa-0d2897654923","span":null,"length":48},{"evidence_id":"ev1:c:0772a373-4593-5807-b2be-7c07036e9d3e:a6b47e6a3cbb807e:91a62017-e6df-552f-9304-142f10bbf0e4","span":null,"length":6},{"evidence_id":"ev1:c:0772a373-4593-5807-b2be-7c07036e9d3e:a6b47e6a3cbb807e:ead10659-f756-57bd-96de-720190184654","span":null,"length":14},{"evidence_id":"ev1:c:0772a373-4593-5807-b2be-7c07036e9d3e:a6b47e6a3cbb807e:c401b78d-784a-517b-81d4-08a30c9c7da3","span":null,"length":21}]', NULL, NULL);
INSERT INTO ledgers VALUES ('local', '3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3', 1796000000.0, '[{"evidence_id":"ev1:s:818bd295-dbd5-5ff1-861b-1a62ef7d1cf9:200e5d0fc8a0c618:0-8","span":"ev1:s:818bd295-dbd5-5ff1-861b-1a62ef7d1cf9:200e5d0fc8a0c618:0-8"}]', NULL, NULL);
INSERT INTO ledgers VALUES ('local', '8b5b9db0c13db24256c829aa364aa90c6d2eba318b9232a4ab9313b954d3555f', 1796000000.0, '[]', NULL, NULL);
INSERT INTO documents VALUES ('local', '818bd295-dbd5-5ff1-861b-1a62ef7d1cf9', 'fcace9af-34c9-4469-84d7-67061c02c181', 'upload://expenses.txt', NULL, 'Expenses', '200e5d0fc8a0c618', '2026-12-01T03:33:16.721369+00:00', NULL, NULL, NULL);
INSERT INTO documents VALUES ('local', '0772a373-4593-5807-b2be-7c07036e9d3e', 'fcace9af-34c9-4469-84d7-67061c02c181', 'upload://travel.txt', NULL, 'Travel', 'a6b47e6a3cbb807e', '2026-12-01T03:33:16.730261+00:00', NULL, NULL, NULL);
INSERT INTO documents VALUES ('local', '3206fdf4-a5f1-5744-ab0d-0a0741cd20aa', '62a50074-88c4-49c7-a52f-0a5b70aa69c9', '', NULL, '', '32271badde506afc', '2026-12-01T03:33:16.742793+00:00', '2026-12-01T03:33:16.748520+00:00', NULL, NULL);
INSERT INTO versions VALUES ('local', '818bd295-dbd5-5ff1-861b-1a62ef7d1cf9', '200e5d0fc8a0c618', 1, 'text/plain', 'lines/1', '200e5d0fc8a0c6186bfd8d9099aedbb256c3110be92edca40b35941e8b08142d', 1, 3, '2026-12-01T03:33:16.722699+00:00', '[]', '[[1,200.0,100.0,0,"i",0,95]]', '[["Expenses",1,0]]', NULL, 'Expenses
Above 250 euro an approval is needed.
It''s the manager who gives it: 100% of the time.', NULL, NULL);
INSERT INTO versions VALUES ('local', '0772a373-4593-5807-b2be-7c07036e9d3e', '1ace82441814dbc5', 1, 'text/plain', 'lines/1', '1ace82441814dbc523e8224291b692614053341e3de085e16bc1b330ec039e67', 1, 2, '2026-12-01T03:33:16.730644+00:00', '[]', '[[1,200.0,100.0,0,"i",0,55]]', '[["Travel",1,0]]', NULL, 'Travel
Book by train, where that takes at most 6 hours.', NULL, NULL);
INSERT INTO versions VALUES ('local', '0772a373-4593-5807-b2be-7c07036e9d3e', 'a6b47e6a3cbb807e', 2, 'text/plain', 'lines/1', 'a6b47e6a3cbb807e6e0c4b1e36a2412d277e27cbd406b01c4f51833f548de682', 1, 3, '2026-12-01T03:33:16.736387+00:00', '[]', '[[1,200.0,100.0,0,"i",0,43]]', '[["Travel",1,0]]', NULL, 'Travel
Book by train.
A taxi is for nights.', NULL, NULL);
INSERT INTO passages VALUES ('local', '6d400068-a584-55bd-9529-b5a5fcbb1011', '818bd295-dbd5-5ff1-861b-1a62ef7d1cf9', 1, 'Expenses');
INSERT INTO passages VALUES ('local', '0bd4ae8b-488a-5190-9425-1ec9d3f5f4d2', '818bd295-dbd5-5ff1-861b-1a62ef7d1cf9', 2, 'Above 250 euro an approval is needed.');
INSERT INTO passages VALUES ('local', '39d03c90-2eb1-597d-9bfa-0d2897654923', '818bd295-dbd5-5ff1-861b-1a62ef7d1cf9', 3, 'It''s the manager who gives it: 100% of the time.');
INSERT INTO passages VALUES ('local', '91a62017-e6df-552f-9304-142f10bbf0e4', '0772a373-4593-5807-b2be-7c07036e9d3e', 4, 'Travel');
INSERT INTO passages VALUES ('local', 'd918b72c-1eab-5950-98f4-533e955e8a2f', '0772a373-4593-5807-b2be-7c07036e9d3e', NULL, 'Book by train, where that takes at most 6 hours.');
INSERT INTO passages VALUES ('local', 'ead10659-f756-57bd-96de-720190184654', '0772a373-4593-5807-b2be-7c07036e9d3e', 7, 'Book by train.');
INSERT INTO passages VALUES ('local', 'c401b78d-784a-517b-81d4-08a30c9c7da3', '0772a373-4593-5807-b2be-7c07036e9d3e', 8, 'A taxi is for nights.');
INSERT INTO places VALUES ('local', '6d400068-a584-55bd-9529-b5a5fcbb1011', '200e5d0fc8a0c618', '818bd295-dbd5-5ff1-861b-1a62ef7d1cf9', 0, 0, 8, 0, 95, '{"page":1,"page_end":1,"page_label":"i","headings":["Expenses"]}', X'010000009A9999999999B93F0000000000000000555555555555D53FFCA9F1D24D62503F', NULL);
INSERT INTO places VALUES ('local', '0bd4ae8b-488a-5190-9425-1ec9d3f5f4d2', '200e5d0fc8a0c618', '818bd295-dbd5-5ff1-861b-1a62ef7d1cf9', 1, 9, 46, 0, 95, '{"page":1,"page_end":1,"page_label":"i","headings":["Expenses"]}', X'010000009A9999999999B93FFCA9F1D24D62503F555555555555D53FFCA9F1D24D62603F', NULL);
INSERT INTO places VALUES ('local', '39d03c90-2eb1-597d-9bfa-0d2897654923', '200e5d0fc8a0c618', '818bd295-dbd5-5ff1-861b-1a62ef7d1cf9', 2, 47, 95, 0, 95, '{"page":1,"page_end":1,"page_label":"i","headings":["Expenses"]}', X'010000009A9999999999B93FFCA9F1D24D62603F555555555555D53FFA7E6ABC7493683F', NULL);
INSERT INTO places VALUES ('local', '91a62017-e6df-552f-9304-142f10bbf0e4', '1ace82441814dbc5', '0772a373-4593-5807-b2be-7c07036e9d3e', 0, 0, 6, 0, 55, '{"page":1,"page_end":1,"page_label":"i","headings":["Travel"]}', X'010000009A9999999999B93F0000000000000000555555555555D53FFCA9F1D24D62503F', NULL);
INSERT INTO places VALUES ('local', 'd918b72c-1eab-5950-98f4-533e955e8a2f', '1ace82441814dbc5', '0772a373-4593-5807-b2be-7c07036e9d3e', 1, 7, 55, 0, 55, '{"page":1,"page_end":1,"page_label":"i","headings":["Travel"]}', X'010000009A9999999999B93FFCA9F1D24D62503F555555555555D53FFCA9F1D24D62603F', NULL);
INSERT INTO places VALUES ('local', '91a62017-e6df-552f-9304-142f10bbf0e4', 'a6b47e6a3cbb807e', '0772a373-4593-5807-b2be-7c07036e9d3e', 0, 0, 6, 0, 43, '{"page":1,"page_end":1,"page_label":"i","headings":["Travel"]}', X'010000009A9999999999B93F0000000000000000555555555555D53FFCA9F1D24D62503F', NULL);
INSERT INTO places VALUES ('local', 'ead10659-f756-57bd-96de-720190184654', 'a6b47e6a3cbb807e', '0772a373-4593-5807-b2be-7c07036e9d3e', 1, 7, 21, 0, 43, '{"page":1,"page_end":1,"page_label":"i","headings":["Travel"]}', X'010000009A9999999999B93FFCA9F1D24D62503F555555555555D53FFCA9F1D24D62603F', NULL);
INSERT INTO places VALUES ('local', 'c401b78d-784a-517b-81d4-08a30c9c7da3', 'a6b47e6a3cbb807e', '0772a373-4593-5807-b2be-7c07036e9d3e', 2, 22, 43, 0, 43, '{"page":1,"page_end":1,"page_label":"i","headings":["Travel"]}', X'010000009A9999999999B93FFCA9F1D24D62603F555555555555D53FFA7E6ABC7493683F', NULL);
INSERT INTO vectors VALUES ('local', 'tiny', '6d400068-a584-55bd-9529-b5a5fcbb1011', 0, X'00FF27');
