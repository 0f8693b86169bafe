;; Editing lines at the terminal, under chibi's names: not available.
(define-library (chibi term edit-line)
  (export
   make-line-editor edit-line edit-line-repl make-history history-insert!
   history-reset! history-commit! history->list list->history buffer->string
   make-buffer buffer-make-completer buffer-clear buffer-refresh buffer-draw
   buffer-row buffer-col)
  (import (chibi-bridge unavailable))
  (begin
    (define-unavailable terminal
      make-line-editor edit-line edit-line-repl make-history history-insert!
      history-reset! history-commit! history->list list->history buffer->string
      make-buffer buffer-make-completer buffer-clear buffer-refresh buffer-draw
      buffer-row buffer-col)))
