;;; eglot.el --- the daemon under Emacs' eglot  -*- lexical-binding: t -*-
;; Copyright The ctx-lsp authors. MIT licence.

(require 'package)
(package-initialize)
(require 'eglot)
(require 'flymake)

(define-derived-mode prompt-mode text-mode "Prompt")

(defun check (name ok why)
  (princ (format "%s eglot: %s%s\n" (if ok "ok" "not ok") name (if ok "" (format ": %S" why)))))

(defun await (predicate)
  (let ((deadline (+ (float-time) 20)) value)
    (while (and (not (setq value (funcall predicate))) (< (float-time) deadline))
      (accept-process-output nil 0.05))
    value))

(setq-default eglot-workspace-configuration '((ctx . (:notify (:level "soon")))))
(setq eglot-sync-connect t eglot-autoshutdown t eglot-connect-timeout 30)
(find-file "CLAUDE.md")
(prompt-mode)
(let ((contact (list (getenv "CTX_LSP") "serve")))
  (add-to-list 'eglot-server-programs (cons 'prompt-mode contact))
  (eglot '(prompt-mode) (project-current t) 'eglot-lsp-server contact "markdown"))
(check "connects" (eglot-current-server) (messages-buffer))

;; eglot hands what the server publishes to flymake.
(defun problems ()
  (let (found)
    (flymake-start)
    (setq found (flymake-diagnostics))
    found))
(check "diagnostics" (await (lambda () (= 1 (length (problems))))) (problems))
(let ((d (car (problems))))
  (check "positions behind wide characters"
         (and d (equal "@docs/gone.md" (buffer-substring-no-properties (flymake-diagnostic-beg d) (flymake-diagnostic-end d))))
         d))

(goto-char (point-min))
(let ((hover (jsonrpc-request (eglot-current-server) :textDocument/hover (eglot--TextDocumentPositionParams))))
  (check "hover" (string-match-p "In every request" (format "%S" hover)) hover))
(let ((lens (jsonrpc-request (eglot-current-server) :textDocument/codeLens
                             (list :textDocument (eglot--TextDocumentIdentifier)))))
  (check "code lens" (string-match-p "1 import" (format "%S" lens)) lens))

(goto-char (point-min))
(search-forward "@docs/gone.md")
(replace-match "@docs/style.md 😀")
(eglot--signal-textDocument/didChange)
(check "edits" (await (lambda () (let ((d (problems))) (and (= 1 (length d)) (string-match-p "imported already" (flymake-diagnostic-text (car d)))))))
       (mapcar #'flymake-diagnostic-text (problems)))

(let ((reading (jsonrpc-request (eglot-current-server) :ctx/session/open '(:id "chat" :model "gpt-5.5"))))
  (check "ctx methods" (equal "chat" (plist-get reading :session)) reading))

;; The session that is at work here, without a word of ctx/. This Emacs shows no progress, but the message counts.
(check "the message of notify.level"
       (await (lambda () (with-current-buffer (messages-buffer) (string-match-p "81% full" (buffer-string)))))
       (with-current-buffer (messages-buffer) (buffer-string)))
(goto-char (point-min))
(let (hover)
  (check "the session's model and window"
         (await (lambda ()
                  (setq hover (format "%S" (jsonrpc-request (eglot-current-server) :textDocument/hover (eglot--TextDocumentPositionParams))))
                  (string-match-p "200k of `claude-opus-4-6` in this workspace's session" hover)))
         hover))
(jsonrpc-request (eglot-current-server) :workspace/executeCommand '(:command "ctx.document.breakdown" :arguments []))
(check "a command shows its answer"
       (await (lambda () (with-current-buffer (messages-buffer) (string-match-p "tokens · CLAUDE.md · In every request" (buffer-string)))))
       (with-current-buffer (messages-buffer) (buffer-string)))

;; eglot deletes the process as soon as it has said exit, so there may be no exit code to look at.
(let ((process (jsonrpc--process (eglot-current-server))))
  (set-buffer-modified-p nil)
  (eglot-shutdown (eglot-current-server))
  (check "shutdown" (not (process-live-p process)) (process-status process)))
