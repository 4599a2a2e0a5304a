;;; ctx-server.el --- the connection of ctx to its server  -*- lexical-binding: t; -*-
;; Copyright The ctx-lsp authors. MIT licence.

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Starts `ctx-lsp serve --shared', which all of a user's editors share, and talks to it with Emacs' own jsonrpc.el.  If
;; the server ends on its own, it is restarted after a growing pause.

;;; Code:

(require 'cl-lib)
(require 'jsonrpc)

(defgroup ctx nil
  "Show how full the context window of a coding agent is."
  :group 'tools
  :prefix "ctx-")

(defcustom ctx-command nil
  "The program and its arguments, or nil for ctx-lsp on the PATH."
  :type '(choice (const :tag "The program ctx-lsp on the PATH" nil) (repeat string))
  :group 'ctx)

(defcustom ctx-agents nil
  "The agents that the server may read on this machine, by id, or nil for all.
It has no effect if `ctx-command' is set."
  :type '(choice (const :tag "All" nil) (repeat string))
  :group 'ctx)

(defconst ctx-server--schema "ctx.reading/3"
  "The schema of the readings that this package understands.")

(defconst ctx-server--protocol 3
  "The protocol that this package speaks.")

(defconst ctx-server--pauses '(0.5 2 10 60)
  "Seconds before the server is restarted, by the number of times it has ended.")

(defvar ctx-server-ready-functions nil
  "Functions to call when the server has become ready.")

(defvar ctx-server-ended-functions nil
  "Functions to call when the server has ended.")

(defvar ctx-server-handlers nil
  "An alist of the server's notifications, as symbols, and their functions.")

(defvar ctx-server-problem nil
  "The reason for a missing server, as a message, or nil.")

(defvar ctx-server--connection nil
  "The connection, or nil.")

(defvar ctx-server--ready nil
  "Whether the server has answered `initialize'.")

(defvar ctx-server--wanted nil
  "Whether a server should run.")

(defvar ctx-server--ends 0
  "Number of times the server has recently ended unexpectedly.")

(defvar ctx-server--timer nil
  "The timer that restarts the server.")

(defun ctx-server-ready-p ()
  "Return whether the server accepts requests."
  (and ctx-server--ready (ctx-server--running-p)))

(defun ctx-server--running-p ()
  "Return whether the process of the server is alive."
  (and ctx-server--connection (jsonrpc-running-p ctx-server--connection)))

(defun ctx-server--program ()
  "Return the command of the server.
Without one, return nil and set `ctx-server-problem'."
  (let* ((exec-path (append (cl-remove-if-not #'file-name-absolute-p exec-path)
                            (list (expand-file-name "~/go/bin") (expand-file-name "~/.local/bin"))))
         (command (or ctx-command
                      `("ctx-lsp" "serve" "--shared"
                        ,@(and ctx-agents (list (concat "--agents=" (string-join ctx-agents ",")))))))
         (program (executable-find (car command))))
    (if program
        (cons program (cdr command))
      (setq ctx-server-problem
            (format "The program %s was not found; install it with `npm install -g ctx-lsp', or set `ctx-command'"
                    (car command)))
      nil)))

(defun ctx-server-start ()
  "Start the server if it is not running."
  (setq ctx-server--wanted t)
  (unless (ctx-server--running-p)
    (when ctx-server--timer
      (cancel-timer ctx-server--timer)
      (setq ctx-server--timer nil))
    (let ((command (ctx-server--program)))
      (if command
          (condition-case problem
              (ctx-server--connect command)
            (error (ctx-server--failed (format "The server could not be started: %s" (error-message-string problem)))))
        (ctx-server--failed ctx-server-problem)))))

(defun ctx-server--failed (sentence)
  "Show SENTENCE, and give up."
  (setq ctx-server-problem sentence ctx-server--ready nil)
  (message "ctx: %s" sentence)
  (run-hooks 'ctx-server-ended-functions))

(defun ctx-server--connect (command)
  "Start COMMAND and greet it."
  (setq ctx-server-problem nil ctx-server--ready nil)
  ;; The current directory may be on another machine, or may be removed while the server runs.
  (let* ((default-directory (expand-file-name "~/"))
         (connection
          (jsonrpc-process-connection
           :name "ctx"
           :events-buffer-scrollback-size 0 ; readings are not stored in a log
           :process (lambda ()
                      (make-process :name "ctx" :command command :connection-type 'pipe :coding 'utf-8-emacs-unix
                                    :noquery t :stderr (get-buffer-create " *ctx server*")))
           :notification-dispatcher #'ctx-server--notified
           :request-dispatcher #'ctx-server--asked
           :on-shutdown #'ctx-server--ended)))
    (setq ctx-server--connection connection)
    (jsonrpc-async-request
     connection :initialize
     (list :processId (emacs-pid)
           :clientInfo (list :name "Emacs ctx" :version emacs-version)
           :rootUri nil
           :capabilities (list :window '(:workDoneProgress t))
           ;; Prompt files are left to a language client; see `ctx-eglot'.
           :initializationOptions (list :watch :json-false))
     :timeout 60
     :timeout-fn (lambda () (ctx-server--refused connection "The server did not respond for a minute"))
     :error-fn (lambda (problem)
                 (ctx-server--refused connection (format "The server rejected the connection: %s" (plist-get problem :message))))
     :success-fn (lambda (answer)
                   (cond
                    ((not (ctx-server--understood-p answer))
                     (ctx-server--refused connection "ctx-lsp and this package have different versions; update the older one"))
                    ((eq connection ctx-server--connection)
                     (jsonrpc-notify connection :initialized (make-hash-table))
                     (setq ctx-server--ready t)
                     (run-with-timer 30 nil (lambda ()
                                              (when (eq connection ctx-server--connection)
                                                (setq ctx-server--ends 0))))
                     (run-hooks 'ctx-server-ready-functions)))))))

(defun ctx-server--understood-p (answer)
  "Return whether ANSWER is that of a server with this package's protocol."
  (let ((ctx (plist-get (plist-get (plist-get answer :capabilities) :experimental) :ctx)))
    (eql (plist-get ctx :protocol) ctx-server--protocol)))

(defun ctx-server--refused (connection sentence)
  "Close CONNECTION, and show SENTENCE."
  (when (eq connection ctx-server--connection)
    (setq ctx-server--connection nil)
    (ignore-errors (delete-process (jsonrpc--process connection)))
    (ctx-server--failed sentence)))

(defun ctx-server--ended (connection)
  "Restart the server after a pause, if CONNECTION has ended."
  (when (eq connection ctx-server--connection)
    (setq ctx-server--connection nil ctx-server--ready nil)
    (when ctx-server--wanted
      (let ((pause (or (nth ctx-server--ends ctx-server--pauses) (car (last ctx-server--pauses)))))
        (cl-incf ctx-server--ends)
        (setq ctx-server-problem "The server ended and is being restarted; its last output is in the buffer \" *ctx server*\""
              ctx-server--timer (run-with-timer pause nil #'ctx-server-start))))
    (run-hooks 'ctx-server-ended-functions)))

(defun ctx-server-stop ()
  "End the connection.  The server ends after its last editor has left."
  (setq ctx-server--wanted nil ctx-server--ready nil)
  (when ctx-server--timer
    (cancel-timer ctx-server--timer)
    (setq ctx-server--timer nil))
  (let ((connection ctx-server--connection))
    (setq ctx-server--connection nil)
    (when (and connection (jsonrpc-running-p connection))
      (ignore-errors
        (jsonrpc-request connection :shutdown nil :timeout 2)
        (jsonrpc-notify connection :exit nil))
      (ignore-errors (delete-process (jsonrpc--process connection))))))

(defun ctx-server--say (sentence)
  "Show SENTENCE as a message."
  (message "ctx: %s" sentence))

(defun ctx-server-request (method params done &optional failed)
  "Send METHOD with PARAMS, and call DONE with the result.
An error becomes a message, or is passed to FAILED as a sentence."
  (if (ctx-server-ready-p)
      (jsonrpc-async-request
       ctx-server--connection method (or params (make-hash-table))
       :timeout 60
       :success-fn done
       :error-fn (lambda (problem)
                   (funcall (or failed #'ctx-server--say) (plist-get problem :message)))
       :timeout-fn (lambda ()
                     (funcall (or failed #'ctx-server--say)
                              (format "the server did not respond to %s within a minute" method))))
    (message "ctx: %s" (or ctx-server-problem "the server is not running; start it with M-x ctx-mode"))))

(defun ctx-server--notified (_connection method params)
  "Pass the notification METHOD with PARAMS to its handler."
  (let ((handler (alist-get method ctx-server-handlers)))
    (when handler
      (condition-case problem
          (funcall handler params)
        (error (message "ctx: %s: %s" method (error-message-string problem)))))))

(defun ctx-server--asked (_connection method params)
  "Answer the server's request METHOD with PARAMS."
  (pcase method
    ('workspace/configuration (make-vector (length (plist-get params :items)) nil))
    ('window/workDoneProgress/create nil)
    (_ (jsonrpc-error :code -32601 :message (format "This client does not support %s" method)))))

(defun ctx-server-reading-p (value)
  "Return whether VALUE is a reading that can be shown."
  (and (listp value)
       (equal (plist-get value :schema) ctx-server--schema)
       (stringp (plist-get value :session))))

(provide 'ctx-server)
;;; ctx-server.el ends here
