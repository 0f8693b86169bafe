;; Sockets, under chibi's names: not available. Requests that a policy allows go
;; through (tein http).
(define-library (chibi net)
  (export
   sockaddr? address-info? get-address-info make-address-info socket connect
   bind accept listen with-net-io open-net-io make-listener-socket send
   receive! receive send/non-blocking receive!/non-blocking
   receive/non-blocking address-info-family address-info-socket-type
   address-info-protocol address-info-address address-info-address-length
   address-info-flags address-info-canonname address-info-next sockaddr-name
   sockaddr-port get-socket-option set-socket-option! address-family/unix
   address-family/inet address-family/inet6 address-family/unspecified
   socket-type/stream socket-type/datagram socket-type/raw ip-proto/ip
   ip-proto/icmp ip-proto/tcp ip-proto/udp level/socket socket-opt/reuseaddr
   socket-opt/type socket-opt/error socket-opt/dontroute socket-opt/broadcast
   socket-opt/sndbuf socket-opt/rcvbuf socket-opt/keepalive
   socket-opt/oobinline ai/passive ai/canonname ai/numeric-host)
  (import (scheme base) (chibi-bridge unavailable))
  (begin
    (define-unavailable network
      sockaddr? address-info? get-address-info make-address-info socket connect
      bind accept listen with-net-io open-net-io make-listener-socket send
      receive! receive send/non-blocking receive!/non-blocking
      receive/non-blocking address-info-family address-info-socket-type
      address-info-protocol address-info-address address-info-address-length
      address-info-flags address-info-canonname address-info-next sockaddr-name
      sockaddr-port get-socket-option set-socket-option!)
    (define address-family/unix 1)
    (define address-family/inet 2)
    (define address-family/inet6 10)
    (define address-family/unspecified 0)
    (define socket-type/stream 1)
    (define socket-type/datagram 2)
    (define socket-type/raw 3)
    (define ip-proto/ip 0)
    (define ip-proto/icmp 1)
    (define ip-proto/tcp 6)
    (define ip-proto/udp 17)
    (define level/socket 1)
    (define socket-opt/reuseaddr 2)
    (define socket-opt/type 3)
    (define socket-opt/error 4)
    (define socket-opt/dontroute 5)
    (define socket-opt/broadcast 6)
    (define socket-opt/sndbuf 7)
    (define socket-opt/rcvbuf 8)
    (define socket-opt/keepalive 9)
    (define socket-opt/oobinline 10)
    (define ai/passive 1)
    (define ai/canonname 2)
    (define ai/numeric-host 4)))
