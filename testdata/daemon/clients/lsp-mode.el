;;; lsp-mode.el --- the daemon under Emacs' lsp-mode  -*- lexical-binding: t -*-
;; Copyright The ctx-lsp authors. MIT licence.

(require 'package)
(package-initialize)
(require 'lsp-mode)

(defun check (name ok why)
  (princ (format "%s lsp-mode: %s%s\n" (if ok "ok" "not ok") name (if ok "" (format ": %S" why)))))

(defun await (predicate)
  (let ((deadline (+ (float-time) 20)) value)
    (while (and (not (setq value (funcall predicate))) (< (float-time) deadline))
      (accept-process-output nil 0.05))
    value))

(define-derived-mode prompt-mode text-mode "Prompt")
(setq lsp-auto-guess-root t lsp-restart 'ignore lsp-enable-file-watchers nil lsp-warn-no-matched-clients nil)
(add-to-list 'lsp-language-id-configuration '(prompt-mode . "markdown"))
(lsp-register-client
 (make-lsp-client :new-connection (lsp-stdio-connection (list (getenv "CTX_LSP") "serve"))
                  :activation-fn (lsp-activate-on "markdown")
                  :initialization-options '(:notify (:level "soon"))
                  :server-id 'ctx-lsp))
(find-file "CLAUDE.md")
(prompt-mode)
(lsp)
(check "connects" (await (lambda () (and (lsp-workspaces) (eq 'initialized (lsp--workspace-status (car (lsp-workspaces))))))) (messages-buffer))
(check "the number stands in the mode line"
       (await (lambda () (string-match-p "81%% · 4.9k left" (or (lsp--progress-status) ""))))
       (lsp--progress-status))
(check "the message of notify.level"
       (await (lambda () (with-current-buffer (messages-buffer) (string-match-p "81% full" (buffer-string)))))
       (with-current-buffer (messages-buffer) (buffer-string)))
(goto-char (point-min))
(let (hover)
  (check "the session's model and window"
         (await (lambda ()
                  (setq hover (format "%S" (lsp-request "textDocument/hover" (lsp--text-document-position-params))))
                  (string-match-p "200k of `claude-opus-4-6` in this workspace's session" hover)))
         hover)
  (check "a hover without tables" (not (string-match-p "|--" hover)) hover))
(lsp-request "workspace/executeCommand" '(:command "ctx.document.breakdown" :arguments []))
(check "a command shows its answer"
       (await (lambda () (with-current-buffer (messages-buffer) (string-match-p "tokens · CLAUDE.md · In every request" (buffer-string)))))
       (with-current-buffer (messages-buffer) (buffer-string)))
(set-buffer-modified-p nil)
(kill-emacs 0)
