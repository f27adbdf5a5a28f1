package main

import (
	"context"
	"errors"
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
	"time"
)

const upstreamTimeout = 5 * time.Second

// newTransport keeps the connections of all calls: two for a host, the default, are too few where there is one host, and
// most connections would be closed after one call.
func newTransport() *http.Transport {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 10_000
	transport.MaxIdleConns = 10_000
	return transport
}

// newGateway passes on what the upstream answers for an id.
func newGateway(upstream *url.URL, transport http.RoundTripper) http.Handler {
	proxy := &httputil.ReverseProxy{
		Transport: transport,
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(upstream)
			id := r.In.PathValue("id")
			r.Out.URL.Path = "/items/" + id
			r.Out.URL.RawPath = "/items/" + url.PathEscape(id)
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			log.Print(err)
			if errors.Is(err, context.DeadlineExceeded) {
				w.WriteHeader(http.StatusGatewayTimeout)
				return
			}
			w.WriteHeader(http.StatusBadGateway)
		},
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), upstreamTimeout)
		defer cancel()
		proxy.ServeHTTP(w, r.WithContext(ctx))
	})
}
