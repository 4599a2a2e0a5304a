;;; ctx-test.el --- ctx in a real Emacs with the real server  -*- lexical-binding: t; -*-
;; Copyright The ctx-lsp authors. MIT licence.

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; run.sh starts this with a home directory where Claude Code has just been active, and with the program in CTX_LSP.

;;; Code:

(require 'ert)
(require 'cl-lib)
(require 'package)
(require 'ctx)
(require 'ctx-status)
(require 'ctx-sessions)
(require 'ctx-sight)
(require 'json)
(require 'ctx-recorded)

(defconst ctx-test-session "0197f1c2-0000-4000-8000-000000000001")
(defconst ctx-test-workspace (file-name-as-directory (getenv "CTX_TEST_WORKSPACE")))

(defun ctx-test-await (predicate)
  "Wait until PREDICATE holds, and return what it returned."
  (let ((deadline (+ (float-time) 30)) value)
    (while (and (not (setq value (funcall predicate))) (< (float-time) deadline))
      (accept-process-output nil 0.05))
    value))

(defun ctx-test-visit (directory)
  "Show a buffer that belongs to DIRECTORY, and let the editor notice."
  (let ((buffer (get-buffer-create (format "notes of %s" directory))))
    (with-current-buffer buffer
      (setq default-directory directory))
    (set-window-buffer (selected-window) buffer)
    (set-buffer buffer)
    (ctx-readings-look) ; without a screen, Emacs runs no window hooks
    buffer))

(defun ctx-test-line ()
  "Return the text in the mode line, without its properties."
  (substring-no-properties (ctx-mode-line)))

(defun ctx-test-messages ()
  "Return what was said."
  (with-current-buffer (messages-buffer) (buffer-string)))

(defmacro ctx-test-with (&rest body)
  "Run BODY while `ctx-mode' is on and the session is shown."
  `(unwind-protect
       (progn
         (ctx-recorded-refuse "~")
         (setq ctx-command (list (getenv "CTX_LSP") "serve"))
         (ctx-mode 1)
         (ctx-test-visit ctx-test-workspace)
         (should (ctx-test-await #'ctx-server-ready-p))
         (ctx-readings-look)
         (should (ctx-test-await (lambda () (string-match-p "81%%" (ctx-test-line)))))
         ,@body)
     (ctx-mode -1)))

(ert-deftest ctx-test-a-recording-is-moved-to-the-present ()
  (let* ((text (concat "{\"timestamp\":\"2026-03-02T09:00:00.123Z\",\"resets_at\":1790000000}\n"
                       "\"2026-03-02T10:00:00+01:00\" \"2026-03-02 08:59:58\" \"2026-03-02T08:59:58.123456\"\n"
                       "1772442000 1772442000123 1772442000123456 1772442000.5 \"session-1772442000123.json\" 2026-03-02T09-00-00-123Z\n"
                       "\"day\":\"2026-03-02\",\"model\":\"gpt-4o-2026-03-02\",\"tokens\":177244200,\"id\":\"x1772442000\""))
         (want (concat "{\"timestamp\":\"2026-11-27T14:03:04.123Z\",\"resets_at\":1813346184}\n"
                       "\"2026-11-27T15:03:04+01:00\" \"2026-11-27 14:03:02\" \"2026-11-27T14:03:02.123456\"\n"
                       "1795788184 1795788184123 1795788184123456 1795788184.5 \"session-1795788184123.json\" 2026-11-27T14-03-04-123Z\n"
                       "\"day\":\"2026-11-27\",\"model\":\"gpt-4o-2026-03-02\",\"tokens\":177244200,\"id\":\"x1772442000\"")))
    (should (= 1772442000 (ctx-recorded-newest text)))
    (cl-letf (((symbol-function 'ctx-recorded-now) (lambda () 1795788184)))
      (should (equal want (ctx-recorded-moved text 0))))))

;; Shortly after midnight, a folder named after the day of the newest record is that of the new day.
(ert-deftest ctx-test-a-day-is-moved-like-the-newest-record ()
  (cl-letf (((symbol-function 'ctx-recorded-now) (lambda () 1795824030)))
    (should (equal (ctx-recorded-moved "sessions/2026/03/02 \"2026-03-02\" \"2026-03-02T09:00:00Z\"" 0)
                   "sessions/2026/11/28 \"2026-11-28\" \"2026-11-28T00:00:30Z\""))))

(ert-deftest ctx-test-a-copied-recording-is-refused ()
  (let ((file (expand-file-name "~/.claude/copied.jsonl")))
    (ctx-recorded-refuse "~")
    (write-region "{\"timestamp\":\"2026-03-02T09:00:00.000Z\"}\n" nil file nil 'silent)
    (unwind-protect
        (should (string-match-p "copied.jsonl has no record after 2026-03-02T09:00:00Z"
                                (cadr (should-error (ctx-recorded-refuse "~")))))
      (delete-file file))))

(defun ctx-test-record (tokens)
  "Let the agent write a turn that has filled so many TOKENS."
  (let ((file (car (directory-files-recursively (expand-file-name "~/.claude/projects") "\\.jsonl\\'")))
        (now (format-time-string "%Y-%m-%dT%H:%M:%S.000Z" (ctx-recorded-now) t)))
    (write-region
     (format "{\"parentUuid\":\"a1\",\"isSidechain\":false,\"userType\":\"external\",\"cwd\":\"%s\",\"sessionId\":\"%s\",\"version\":\"2.1.120\",\"timestamp\":\"%s\",\"type\":\"assistant\",\"uuid\":\"a%d\",\"requestId\":\"r%d\",\"message\":{\"model\":\"claude-opus-4-6\",\"id\":\"m%d\",\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"Done.\"}],\"stop_reason\":\"end_turn\",\"usage\":{\"input_tokens\":3,\"cache_creation_input_tokens\":997,\"cache_read_input_tokens\":%d,\"output_tokens\":60}}}\n"
             (directory-file-name ctx-test-workspace) ctx-test-session now tokens tokens tokens (- tokens 1000))
     nil file t 'silent)))

(ert-deftest ctx-test-the-mode-line-shows-the-session ()
  (ctx-test-with
   (should (string-match-p "\\` ctx ~?81%% · 4\\..k to compact\\'" (ctx-test-line)))
   (should (memq (get-text-property 1 'face (ctx-mode-line)) '(ctx-soon ctx-now)))
   (should (get-text-property 1 'help-echo (ctx-mode-line)))))

(ert-deftest ctx-test-a-search-is-shown-where-no-session-is ()
  (with-temp-buffer
    (let ((ctx-readings-searching t))
      (should (equal (ctx-mode-line) " ctx: searching"))
      (ctx-readings--searched nil)
      (should (equal (ctx-mode-line) "")))))

(ert-deftest ctx-test-a-folder-without-an-agent-shows-nothing ()
  (ctx-test-with
   (ctx-test-visit (file-name-as-directory (getenv "CTX_TEST_ELSEWHERE")))
   (accept-process-output nil 1)
   (should (equal "" (ctx-test-line)))
   (ctx-test-visit "/ssh:nobody@nowhere.invalid:/home/nobody/")
   (accept-process-output nil 0.5)
   (should (equal "" (ctx-test-line)))
   (ctx-test-visit ctx-test-workspace)
   (should (ctx-test-await (lambda () (string-match-p "81%%" (ctx-test-line)))))))

(ert-deftest ctx-test-what-fills-it-is-shown-and-follows-the-session ()
  (ctx-test-with
   (ctx-status)
   (with-current-buffer "*ctx*"
     (should (ctx-test-await (lambda () (string-match-p "Contents" (buffer-string)))))
     (dolist (part '("Claude Code" "claude-opus-4-6" "^~?81%  162" "until it compacts" "┃" "Contents" "^  Used +~?162,..."
                     "at 167,000" "33,000 held back"))
       (should (string-match-p part (buffer-string))))
     (goto-char (point-min))
     (search-forward "Contents")
     (let ((line (line-number-at-pos)))
       (ctx-test-record 163000)
       (should (ctx-test-await (lambda () (string-match-p "^  Used +~?163,0" (buffer-string)))))
       (should (= line (line-number-at-pos)))))))

(ert-deftest ctx-test-a-level-is-told-once ()
  (with-current-buffer (messages-buffer)
    (let ((inhibit-read-only t)) (erase-buffer)))
  (let ((ctx-notify "soon"))
    (ctx-test-with
     (should (ctx-test-await (lambda () (string-match-p "Claude Code \\(compacts soon\\|is about to compact\\) (~?16..*k of 167k)"
                                                        (ctx-test-messages)))))
     (accept-process-output nil 1)
     (should (= 1 (cl-count-if (lambda (line) (string-match-p "Claude Code .*compact" line))
                               (split-string (ctx-test-messages) "\n")))))))

(ert-deftest ctx-test-a-full-window-that-nothing-compacts ()
  (let ((inhibit-message t)
        (reading '(:session "full" :lines (:agent "Codex") :display (:mark "" :used "200k" :threshold "")
                            :compaction (:threshold nil :hint (:text "window full")))))
    (cl-letf (((symbol-function 'ctx-readings-get) (lambda (_) reading)))
      (puthash "full" "over" ctx--pending-levels)
      (ctx--notify-level "full")
      (should (string-match-p "^Codex: window full$" (ctx-test-messages))))))

(ert-deftest ctx-test-what-coming-back-costs-follows-the-clock ()
  (let* ((asked 1790000000000)
         (minute 60000)
         (back (list :warmUntil (+ asked (* 55 minute)) :coldFrom (+ asked (* 60 minute)) :warnFrom (+ asked (* 44 minute))
                     :life (* 60 minute) :cause "time" :display "441k"))
         (reading (list :activity "idle" :asOf asked :cache (list :back back) :lines '(:status "ctx ~81% · 5.1k to compact · idle"))))
    (pcase-dolist (`(,after ,soon)
                   '((-180 "") ; the clock has jumped back
                     (0 "")
                     (44 " · cold in 12 min")
                     (57 " · may be cold")
                     (60 " · cold: 441k")
                     (12960 " · cold: 441k"))) ; the machine slept
      (cl-letf (((symbol-function 'ctx-readings-now) (lambda () (+ asked (* after minute))))
                ((symbol-function 'ctx-readings-current) (lambda () reading)))
        (should (string-match-p (concat "5\\.1k to compact · idle [0-9]+ [a-z]+" soon "$") (ctx-test-line)))
        (should (equal "" (ctx-readings-soon (append '(:activity "working") reading))))
        (let ((ctx-format "{percent}"))
          (should (equal "" (ctx--soon reading))))))))

(defun ctx-test-drawn (now &rest sections)
  "Return what is drawn of a panel with SECTIONS at NOW."
  (with-temp-buffer
    (cl-letf (((symbol-function 'ctx-readings-now) (lambda () now)))
      (ctx-status--draw (list :panel (list :sections (vconcat sections)))))
    (buffer-string)))

(ert-deftest ctx-test-the-panel-is-drawn-row-by-row ()
  (let* ((asked 1790000000000)
         (dated [(:from 0 :value (:text "cold in {time}; then 19k") :at 1790003300000 :as "minutes")
                 (:from 1790003300000 :value (:text "cold: 19k"))
                 (:from 1790009000000)])
         (facts (list :id "compaction" :title '(:text "Compaction")
                      :rows (vector '(:id "a" :label (:text "Threshold") :value (:text "at 167,000") :note (:text "(own)") :tone "now")
                                    '(:id "b" :value (:text "a second line"))
                                    '(:id "c" :label (:text "Short") :value (:text "only on a screen") :only "short")
                                    (list :id "d" :label '(:text "Cache") :dated dated)
                                    '(:id "e" :label (:text "Sub-agent") :value (:text "12%") :depth 1 :session "child"))))
         (numbers '(:id "contents" :title (:text "Contents")
                        :rows [(:id "x" :label (:text "tool results") :value (:text "~1,000") :bar 100 :share 5)
                               (:id "y" :label (:text "on demand") :value (:text "30") :note (:text "not counted"))]))
         (drawn (ctx-test-drawn asked '(:id "parts" :only "short" :title (:text "Parts") :rows [(:id "p" :value (:text "1"))])
                                facts numbers)))
    (should (equal (substring-no-properties drawn)
                   (concat "\nCompaction\n"
                           "  Threshold       at 167,000 (own)\n"
                           "                  a second line\n"
                           "  Cache           cold in 56 min; then 19k\n"
                           "    Sub-agent     12%\n"
                           "\nContents\n"
                           "  tool results ~1,000 ████████████████\n"
                           "  on demand        30 not counted\n")))
    (should (eq 'ctx-now (get-text-property (string-match "at 167" drawn) 'face drawn)))
    (should (get-text-property (string-match "12%" drawn) 'button drawn))
    (should (string-match-p "cold: 19k" (ctx-test-drawn (+ asked (* 3600 1000)) facts)))
    (should-not (string-match-p "Cache" (ctx-test-drawn (+ asked (* 9000 1000)) facts)))))

(ert-deftest ctx-test-an-unknown-window-has-no-bar ()
  (should (equal (substring-no-properties
                  (ctx-test-drawn 0 '(:id "window" :rows [(:id "full" :value (:text "x"))
                                                          (:id "usage" :value (:text "~12k") :note (:text "window unknown"))])))
                 "\n~12k  window unknown\n")))

(ert-deftest ctx-test-sessions-are-listed-and-held ()
  (ctx-test-with
   (ctx-sessions)
   (should (ctx-test-await (lambda () (get-buffer "*ctx sessions*"))))
   (with-current-buffer "*ctx sessions*"
     (should (string-match-p "8.%.*project.*Claude Code.*0197f1c2" (buffer-string)))
     (should (string-match-p "3 d ago.*project.*Claude Code.*0197f1c2" (buffer-string)))
     (goto-char (point-min))
     (should (equal ctx-test-session (tabulated-list-get-id)))
     (ctx-sessions-hold))
   (unwind-protect
       (progn
         (ctx-test-visit (file-name-as-directory (getenv "CTX_TEST_ELSEWHERE")))
         (should (ctx-test-await (lambda () (string-match-p "8.%%" (ctx-test-line))))))
     (ctx-sessions-follow))
   (should (ctx-test-await (lambda () (equal "" (ctx-test-line)))))))

(ert-deftest ctx-test-the-list-has-what-tells-sessions-apart ()
  (let* ((now (* 1000 (floor (float-time))))
         (hour 3600000)
         (display '(:mark "~" :percent "42%" :used "84k"))
         (sessions
          (list (list :session "0197aaaa-1" :agent "codex" :title "" :opening "Write the parser" :modified (- now (* 3 hour))
                      :workspace "/home/ada/projects/of-the-year/compiler" :host "VS Code Agent Host"
                      :glimpse (list :percent 42 :part t :display display))
                (list :session "0197bbbb-2" :agent "codex" :title "Mend the build" :modified (- now (* 2 hour)) :workspace "/w"
                      :glimpse nil)
                (list :session "0197cccc-3" :agent "codex" :title "Idle" :activity "idle" :percent 99 :asOf (- now (* 4 hour))
                      :display display :workspace "/w")
                (list :session "0197dddd-4" :agent "codex" :title "Busy" :activity "working" :percent 3 :asOf now
                      :display display :workspace "/w"))))
    (dolist (width '(80 120))
      (save-window-excursion
        (cl-letf (((symbol-function 'window-width) (lambda (&rest _) width)))
          (ctx-sessions--show (copy-sequence sessions)))
        (with-current-buffer "*ctx sessions*"
          (let ((lines (split-string (buffer-string) "\n" t)))
            (should (= 4 (length lines)))
            (cl-loop for line in lines
                     for parts in '(("~42%" "working" "Busy") ("2 h ago" "Mend the build" "/w")
                                    ("≥42%" "3 h ago" "Write the parser" "…/compiler") ("~42%" "idle" "Idle"))
                     do (dolist (part parts)
                          (should (string-match-p (regexp-quote part)
                                                  (substring line 0 (min (length line) width))))))
            (should (string-match-p "codex in VS" (nth 2 lines)))))))))

(ert-deftest ctx-test-an-earlier-session-is-read-when-it-is-chosen ()
  (ctx-test-with
   (ctx-sessions)
   (should (ctx-test-await (lambda () (get-buffer "*ctx sessions*"))))
   (with-current-buffer "*ctx sessions*"
     (goto-char (point-min))
     (search-forward "3 d ago")
     (ctx-sessions-status))
   (should (ctx-test-await (lambda ()
                             (and (get-buffer "*ctx*")
                                  (with-current-buffer "*ctx*" (string-match-p "^~?6%  12" (buffer-string)))))))))

(ert-deftest ctx-test-what-is-retold ()
  (ctx-test-with
   (ctx-handover 300)
   (should (ctx-test-await (lambda () (get-buffer "*ctx handover*"))))
   (with-current-buffer "*ctx handover*"
     (should (string-match-p "Please look into it" (buffer-string))))
   (ctx-test-visit ctx-test-workspace)
   (should (ctx-test-await (lambda () (not (equal "" (ctx-test-line))))))
   (insert (mapconcat #'identity (make-list 20000 "word") " "))
   (ctx-fits (point-min) (point-max))
   (should (ctx-test-await (lambda () (string-match-p "compact" (or (current-message) (ctx-test-messages))))))
   (set-buffer-modified-p nil)
   (ctx-forgot)
   (should (ctx-test-await (lambda () (string-match-p "ctx: .*compact" (ctx-test-messages)))))))

(defconst ctx-test-lines '("package box" "" "func Open() int { return 1 }" "func Close() int { return 2 }" "func Next() {}"))

(defun ctx-test-read (path count)
  "Let the agent read the first COUNT lines of the file at PATH."
  (let* ((file (car (directory-files-recursively (expand-file-name "~/.claude/projects") "000001\\.jsonl\\'")))
         (now (format-time-string "%Y-%m-%dT%H:%M:%S.000Z" (ctx-recorded-now) t))
         (number 0)
         (shown (mapconcat (lambda (line) (format "%6d\t%s" (cl-incf number) line)) (seq-take ctx-test-lines count) "\n"))
         (record (lambda (kind id parent message)
                   (concat (json-encode
                            `((parentUuid . ,parent) (isSidechain . :json-false)
                              (cwd . ,(directory-file-name ctx-test-workspace)) (sessionId . ,ctx-test-session)
                              (version . "2.1.120") (timestamp . ,now) (type . ,kind) (uuid . ,id) (message . ,message)))
                           "\n"))))
    (write-region
     (concat
      (funcall record "assistant" (format "c%d" count) "a1"
               `((model . "claude-opus-4-6") (id . ,(format "mr%d" count)) (type . "message") (role . "assistant")
                 (content . [((type . "tool_use") (id . ,(format "t%d" count)) (name . "Read")
                              (input . ((file_path . ,path) (limit . ,count))))])
                 (stop_reason . "tool_use") (usage . ((input_tokens . ,(+ 162000 count)) (output_tokens . 10)))))
      (funcall record "user" (format "s%d" count) (format "c%d" count)
               `((role . "user") (content . [((type . "tool_result") (tool_use_id . ,(format "t%d" count)) (content . ,shown))]))))
     nil file t 'silent)))

(defun ctx-test-marks ()
  "Return the marks before the lines of this buffer."
  (save-excursion
    (goto-char (point-min))
    (let (marks)
      (while (not (eobp))
        (push (substring-no-properties (or (get-char-property (point) 'line-prefix) "-") 0 1) marks)
        (forward-line 1))
      (apply #'concat (nreverse marks)))))

(ert-deftest ctx-test-lines-of-the-next-request-are-marked ()
  (let ((path (expand-file-name "box.go" ctx-test-workspace)))
    (write-region (concat (string-join ctx-test-lines "\n") "\n") nil path nil 'silent)
    (ctx-test-read path 4)
    (ctx-test-with
     (set-window-buffer (selected-window) (find-file-noselect path))
     (set-buffer (window-buffer))
     (ctx-readings-look)
     (should (ctx-test-await #'ctx-readings-current))
     (should (equal "" (ctx-sight-text)))
     (ctx-sees-mode 1)
     (should (ctx-test-await (lambda () (equal "┃┃┃┃-" (ctx-test-marks)))))
     (should (equal "4 of 5 lines are in Claude Code's next request" (ctx-sight-text)))
     (should (equal " [sees 4/5]" (substring-no-properties (ctx-sight--lighter))))
     (should (string-match-p "\\`In the next request as it is here (Read box.go), 20[0-9-]+ "
                             (get-char-property (point-min) 'help-echo)))
     (goto-char (point-min))
     (forward-line 2)
     (insert "// ") ; compared before it is saved
     (should (ctx-test-await (lambda () (equal "┃┃~┃-" (ctx-test-marks)))))
     (set-buffer-modified-p nil)
     (revert-buffer t t)
     (should (ctx-test-await (lambda () (equal "┃┃┃┃-" (ctx-test-marks)))))
     (ctx-test-read path 5)
     (should (ctx-test-await (lambda () (equal "┃┃┃┃┃" (ctx-test-marks)))))
     (ctx-sees-mode -1)
     (should (equal "-----" (ctx-test-marks)))
     (with-temp-buffer
       (should-error (ctx-sees-mode 1))))))

(ert-deftest ctx-test-a-server-that-dies-is-started-again ()
  (ctx-test-with
   (signal-process (jsonrpc--process ctx-server--connection) 'KILL)
   (should (ctx-test-await (lambda () (equal "" (ctx-test-line)))))
   (should (ctx-test-await (lambda () (string-match-p "8.%%" (ctx-test-line)))))))

(ert-deftest ctx-test-without-the-program-it-says-so-once ()
  (with-current-buffer (messages-buffer)
    (let ((inhibit-read-only t)) (erase-buffer)))
  (unwind-protect
      (let ((ctx-command '("no-such-program")))
        (ctx-mode 1)
        (accept-process-output nil 1)
        (should (= 1 (cl-count-if (lambda (line) (string-match-p "The program no-such-program was not found" line))
                                  (split-string (ctx-test-messages) "\n"))))
        (should (equal "" (ctx-test-line)))
        (should-error (ctx-status) :type 'user-error))
    (ctx-mode -1)))

(ert-deftest ctx-test-switched-off-nothing-is-left ()
  (let ((before mode-line-misc-info))
    (ctx-test-with)
    (should (equal before mode-line-misc-info))
    (should-not (cl-find-if (lambda (process) (equal "ctx" (process-name process))) (process-list)))
    (should (equal "" (ctx-test-line)))))

(defvar eglot-connect-timeout)
(defvar eglot-sync-connect)
(declare-function eglot-ensure "eglot")
(declare-function eglot-current-server "eglot")
(declare-function eglot-shutdown "eglot")

(ert-deftest ctx-test-eglot-starts-it-for-prompt-files ()
  (package-initialize)
  (setq ctx-command (list (getenv "CTX_LSP") "serve" "--shared"))
  (ctx-eglot)
  (setq eglot-sync-connect t eglot-connect-timeout 30)
  (let ((file (expand-file-name "CLAUDE.md" ctx-test-workspace)))
    (write-region "# The project\n\nRead @docs/gone.md first.\n" nil file nil 'silent)
    (find-file file)
    (should (eq major-mode 'markdown-mode))
    (call-interactively #'eglot)
    (let ((server (eglot-current-server)))
      (should server)
      (should (string-match-p
               "tokens" (format "%S" (jsonrpc-request server :textDocument/codeLens
                                                      (list :textDocument (list :uri (concat "file://" file)))))))
      (eglot-shutdown server))))

(ert-deftest ctx-test-what-it-draws ()
  (should (equal "1,234,567" (ctx-status-number 1234567)))
  (should (equal "-12,345" (ctx-status-number -12345)))
  (should (equal "999" (ctx-status-number 999)))
  (should (equal "?" (ctx-status-number nil)))
  (should (= 60 (length (ctx-status--window-bar '(:share 240 :mark 100)))))
  (should (= 60 (length (ctx-status--window-bar '(:share 0 :mark 0)))))
  ;; A server of another protocol is refused.
  (should (ctx-server--understood-p '(:capabilities (:experimental (:ctx (:protocol 3))))))
  (dolist (other '(1 2 4))
    (should-not (ctx-server--understood-p `(:capabilities (:experimental (:ctx (:protocol ,other)))))))
  (should-not (ctx-server--understood-p '(:capabilities nil)))
  ;; A reading of another schema, or nil, is not shown.
  (should-not (ctx-server-reading-p '(:schema "ctx.reading/9" :session "x")))
  (should-not (ctx-server-reading-p '(:schema "ctx.reading/1" :session "x" :compaction (:line 167000))))
  (should-not (ctx-server-reading-p '(:schema "ctx.reading/2" :session "x" :low 1 :high 2
                                      :compaction (:hint "compacts in ~5 requests" :hintPhrase (:id "forecast")))))
  (should-not (ctx-server-reading-p '(:schema "ctx.reading/2" :session "x" :shown "one" :verdict nil
                                      :compaction (:hint (:text "compacts in ~5 requests")))))
  (should-not (ctx-server-reading-p nil)))

(provide 'ctx-test)
;;; ctx-test.el ends here
