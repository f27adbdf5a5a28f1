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

// newGateway passes on what the upstream answers for an id.
func newGateway(upstream *url.URL) http.Handler {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	// Two, the default, are too few for a single host: most connections would be closed after one call.
	transport.MaxIdleConnsPerHost = 10_000
	transport.MaxIdleConns = 10_000
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
