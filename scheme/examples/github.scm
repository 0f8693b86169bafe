;; GitHub: the issues of a repository.
;;
;; Wants in the configuration:
;;   [tools.http.allow]
;;   "/tools/shared/github.scm" =
;;     [{url = "https://api.github.com/repos/",
;;       secrets = {Authorization = "GITHUB_TOKEN"}}]
;;
;; The token stays with the host: it fills it into the header when it sends the
;; request, and takes it out of what comes back. GITHUB_API, where [tools.env]
;; forwards it, is the address of another server.
(import (scheme base) (scheme process-context) (tein http) (tein json))

(define tool-http-allow '("https://api.github.com/repos/"))

;; -- requests ---------------------------------------------------------------

(define (base-url)
  (or (get-environment-variable "GITHUB_API") "https://api.github.com"))

(define (url repository . parts)
  (apply string-append (base-url) "/repos/" repository "/issues" parts))

(define headers
  '(("Authorization" . "Bearer {{env:GITHUB_TOKEN}}")
    ("Accept" . "application/vnd.github+json")
    ("X-GitHub-Api-Version" . "2022-11-28")))

(define (explained response)
  (guard (e (#t (http-body response)))
    (field (http-json response) "message")))

(define (answer response)
  (if (<= 200 (http-status response) 299)
      (http-json response)
      (error (string-append "GitHub answered "
                            (number->string (http-status response)))
             (explained response))))

;; -- data -------------------------------------------------------------------

(define (arg args name default)
  (let ((entry (assoc name args)))
    (if entry (cdr entry) default)))

(define (field object name)
  (let ((entry (assoc name object)))
    (and entry (cdr entry))))

;; What a reader wants of an issue.
(define (brief issue)
  (list (cons "number" (field issue "number"))
        (cons "state" (field issue "state"))
        (cons "title" (field issue "title"))
        (cons "by" (field (field issue "user") "login"))))

(define (pull-request? issue) (pair? (assoc "pull_request" issue)))

(define repository
  '(repository (type . "string")
               (pattern . "^[A-Za-z0-9_-][A-Za-z0-9._-]*/[A-Za-z0-9_-][A-Za-z0-9._-]*$")
               (description . "OWNER/NAME")))
(define number
  '(number (type . "integer") (minimum . 1) (description . "Of the issue")))

;; -- tools ------------------------------------------------------------------

(define-tool github_issues
  (description "The issues of a repository, newest first, without pull requests.")
  (category "network")
  (summary "issues of {repository}")
  (parameters
   (list repository
         '(state (type . "string") (enum "open" "closed" "all")
                 (default . "open"))
         '(limit (type . "integer") (minimum . 1) (maximum . 100)
                 (default . 30))))
  (execute
   (lambda (args)
     (list->vector
      (map brief
           (remove pull-request?
                   (answer
                    (http-get
                     (url (arg args "repository" #f)
                          "?state=" (arg args "state" "open")
                          "&per_page="
                          (number->string (arg args "limit" 30)))
                     headers))))))))

(define-tool github_issue
  (description "One issue with its text.")
  (category "network")
  (summary "issue {repository}#{number}")
  (parameters (list repository number))
  (execute
   (lambda (args)
     (let ((issue (answer
                   (http-get (url (arg args "repository" #f)
                                  "/" (number->string (arg args "number" #f)))
                             headers))))
       (append (brief issue) (list (cons "body" (field issue "body"))))))))

(define-tool github_create_issue
  (description "Open an issue.")
  (category "network")
  (summary "new issue in {repository}: {title}")
  (parameters
   (list repository
         '(title (type . "string") (minLength . 1) (maxLength . 256))
         '(body (type . "string") (default . ""))))
  (execute
   (lambda (args)
     (brief
      (answer
       (http-post-json (url (arg args "repository" #f))
                       headers
                       (list (cons "title" (arg args "title" #f))
                             (cons "body" (arg args "body" "")))))))))

(define-tool github_comment
  (description "Comment on an issue.")
  (category "network")
  (summary "comment on {repository}#{number}: {body}")
  (parameters
   (list repository number '(body (type . "string") (minLength . 1))))
  (execute
   (lambda (args)
     (field (answer
             (http-post-json
              (url (arg args "repository" #f)
                   "/" (number->string (arg args "number" #f)) "/comments")
              headers
              (list (cons "body" (arg args "body" #f)))))
            "html_url"))))
