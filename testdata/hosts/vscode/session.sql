-- A session of VS Code 1.139.1's Agent Host, as the host wrote it, with texts and paths of ours, and without its rows for single tools.
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE turns (
				id TEXT PRIMARY KEY NOT NULL
			, event_id TEXT, checkpoint_ref TEXT);
INSERT INTO turns VALUES('557c8cb0-64f3-46f9-8650-37cf301ffc53','3e2c2c22-c255-4975-b6eb-eddb643c164e','refs/agents/11111111-2222-4333-8444-555555555555/checkpoints/turn/1');
INSERT INTO turns VALUES('9f95afb6-88cf-4dea-839a-d756fc790688','48d89eb0-851a-495f-9ba2-cdd0ce4624ed','refs/agents/11111111-2222-4333-8444-555555555555/checkpoints/turn/2');
CREATE TABLE session_metadata (
			key   TEXT PRIMARY KEY NOT NULL,
			value TEXT NOT NULL
		);
INSERT INTO session_metadata VALUES('titleGenerationStrategy','utility');
INSERT INTO session_metadata VALUES('copilot.worktree.branchName','agents/read-the-list');
INSERT INTO session_metadata VALUES('copilot.worktree.path','file:///w/shop.worktrees/read-the-list');
INSERT INTO session_metadata VALUES('agentHost.diffBaseBranch','master');
INSERT INTO session_metadata VALUES('copilot.workingDirectory','file:///w/shop.worktrees/read-the-list');
INSERT INTO session_metadata VALUES('copilot.workingDirectories','["file:///w/shop.worktrees/read-the-list"]');
INSERT INTO session_metadata VALUES('copilot.customizationDirectory','file:///w/shop.worktrees/read-the-list');
INSERT INTO session_metadata VALUES('copilot.project.resolved','true');
INSERT INTO session_metadata VALUES('copilot.project.uri','file:///w/shop');
INSERT INTO session_metadata VALUES('copilot.project.displayName','shop');
INSERT INTO session_metadata VALUES('configValues','{"autoApprove":"default","mode":"interactive","isolation":"worktree","branch":"master"}');
INSERT INTO session_metadata VALUES('copilot.model','{"id":"lab-chat"}');
INSERT INTO session_metadata VALUES('defaultChatProviderData','{"sdkSessionId":"c3f65c5c-26a0-459a-bf96-2f4620f0c767","model":{"id":"lab-chat"}}');
INSERT INTO session_metadata VALUES('agentHost.changeset.session','[]');
INSERT INTO session_metadata VALUES('agentHost.changeset.branch','[]');
INSERT INTO session_metadata VALUES('diffs','[]');
INSERT INTO session_metadata VALUES('peerChats','[]');
INSERT INTO session_metadata VALUES('isRead','');
INSERT INTO session_metadata VALUES('isArchived','');
INSERT INTO session_metadata VALUES('multiRoot','');
INSERT INTO session_metadata VALUES('vscode.folderPicker','');
INSERT INTO session_metadata VALUES('sessionArtifacts','[]');
INSERT INTO session_metadata VALUES('agentHost.workspaceless','false');
INSERT INTO session_metadata VALUES('copilot.worktree.repositoryRoot','file:///w/shop');
INSERT INTO session_metadata VALUES('customTitleSource','auto');
INSERT INTO session_metadata VALUES('agentHost.git','{"hasGitHubRemote":false,"branchName":"agents/read-the-list","baseBranchName":"master","outgoingChanges":0,"uncommittedChanges":0,"hasBaseBranchChanges":false}');
INSERT INTO session_metadata VALUES('agentHost.changes','{"additions":0,"deletions":0,"files":0}');
CREATE TABLE IF NOT EXISTS "file_edits" (
				turn_id        TEXT    NOT NULL REFERENCES turns(id) ON DELETE CASCADE,
				tool_call_id   TEXT    NOT NULL,
				file_path      TEXT    NOT NULL,
				edit_type      TEXT    NOT NULL DEFAULT 'edit',
				original_path  TEXT,
				before_content BLOB,
				after_content  BLOB,
				added_lines    INTEGER,
				removed_lines  INTEGER,
				PRIMARY KEY (tool_call_id, file_path)
			);
CREATE TABLE chat_drafts (
			chat_uri TEXT PRIMARY KEY NOT NULL,
			draft    TEXT NOT NULL
		);
CREATE TABLE reviewed_files (
			uri   TEXT NOT NULL,
			nonce TEXT NOT NULL,
			PRIMARY KEY (uri, nonce)
		);
CREATE TABLE local_turns (
			turn_id        TEXT PRIMARY KEY NOT NULL,
			chat_uri       TEXT NOT NULL,
			anchor_turn_id TEXT,
			seq            INTEGER NOT NULL,
			payload        TEXT NOT NULL
		);
CREATE TABLE turn_usage (
			turn_id TEXT PRIMARY KEY NOT NULL REFERENCES turns(id) ON DELETE CASCADE,
			usage   TEXT NOT NULL
		);
INSERT INTO turn_usage VALUES('557c8cb0-64f3-46f9-8650-37cf301ffc53','{"inputTokens":21000,"outputTokens":30,"model":"lab-chat","cacheReadTokens":19000,"_meta":{"vscode.modelCall":{"schemaVersion":1,"sdkSessionId":"c3f65c5c-26a0-459a-bf96-2f4620f0c767","eventId":"097ee7dd-1bf6-4b05-ac1a-d0554cef98fc","apiCallId":"lab-1","model":"lab-chat","durationMs":3,"timeToFirstTokenMs":1.541911,"outputTtftMs":1.541991,"inputTokens":21000,"outputTokens":30,"cacheReadTokens":19000},"cost":0,"turnTokenTotals":[{"model":"lab-chat","inputTokens":41000,"cachedTokens":19000,"outputTokens":60}],"directTurnTokenTotals":[{"model":"lab-chat","inputTokens":41000,"cachedTokens":19000,"outputTokens":60}],"contextAttribution":{"totalTokens":10928,"modelId":"lab-chat","modelSource":"","promptTokenLimit":128000,"limit":128000,"bufferTokens":6400,"compactionThreshold":102400,"categories":{"systemPrompt":4635,"customInstructions":0,"systemTools":6216,"mcpTools":0,"messages":77,"freeSpace":110672,"buffer":6400},"entries":[{"kind":"system","id":"systemPrompt","label":"System prompt","tokens":4635},{"kind":"system","id":"toolDefinitions","label":"Tool definitions","tokens":6216}],"compactions":{"count":0}}}}');
INSERT INTO turn_usage VALUES('9f95afb6-88cf-4dea-839a-d756fc790688','{"inputTokens":22000,"outputTokens":30,"model":"lab-chat","cacheReadTokens":20000,"_meta":{"vscode.modelCall":{"schemaVersion":1,"sdkSessionId":"c3f65c5c-26a0-459a-bf96-2f4620f0c767","eventId":"87aa1d6d-2c9e-4b03-91d6-09b598123e5a","apiCallId":"lab-2","model":"lab-chat","durationMs":2,"timeToFirstTokenMs":1.459098,"outputTtftMs":1.459188,"inputTokens":22000,"outputTokens":30,"cacheReadTokens":20000},"cost":0,"turnTokenTotals":[{"model":"lab-chat","inputTokens":22000,"cachedTokens":20000,"outputTokens":30}],"directTurnTokenTotals":[{"model":"lab-chat","inputTokens":22000,"cachedTokens":20000,"outputTokens":30}],"contextAttribution":{"totalTokens":10971,"modelId":"lab-chat","modelSource":"","promptTokenLimit":128000,"limit":128000,"bufferTokens":6400,"compactionThreshold":102400,"categories":{"systemPrompt":4635,"customInstructions":0,"systemTools":6216,"mcpTools":0,"messages":120,"freeSpace":110629,"buffer":6400},"entries":[{"kind":"system","id":"systemPrompt","label":"System prompt","tokens":4635},{"kind":"system","id":"toolDefinitions","label":"Tool definitions","tokens":6216}],"compactions":{"count":0}}}}');
CREATE TABLE turn_delegation (
			turn_id    TEXT PRIMARY KEY NOT NULL REFERENCES turns(id) ON DELETE CASCADE,
			delegation TEXT NOT NULL
		);
CREATE TABLE turn_workspace_transition (
			turn_id    TEXT PRIMARY KEY NOT NULL REFERENCES turns(id) ON DELETE CASCADE,
			transition TEXT NOT NULL
		);
CREATE TABLE catalog_sync_snapshot (
			singleton_id       INTEGER PRIMARY KEY NOT NULL CHECK (singleton_id = 1),
			session_generation TEXT NOT NULL CHECK (length(session_generation) > 0),
			source_revision    INTEGER NOT NULL CHECK (source_revision >= 0),
			projection_version INTEGER NOT NULL CHECK (projection_version >= 0),
			acknowledged_hash  TEXT,
			pending_hash       TEXT,
			pending_payload    TEXT,
			CHECK (acknowledged_hash IS NULL OR length(acknowledged_hash) > 0),
			CHECK (
				(pending_hash IS NULL AND pending_payload IS NULL)
				OR (length(pending_hash) > 0 AND pending_payload IS NOT NULL)
			),
			CHECK (acknowledged_hash IS NOT NULL OR pending_hash IS NOT NULL)
		);
INSERT INTO catalog_sync_snapshot VALUES(1,'814fd2b2-fd61-4ebe-96ea-60d77f10509a',6,1,'9e43a5954e3621a6b242b1d59a7dde463926fd057dff773aea9eb9adb8097dbc',NULL,NULL);
CREATE INDEX idx_turns_event_id ON turns(event_id);
PRAGMA user_version=13;
COMMIT;
