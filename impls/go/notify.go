package main

import (
	"io"
	"log"
	"net/http"
	"net/url"
)

// acceptNotification accepts a notification at once, and calls the upstream for it afterwards. A call that fails is not
// repeated.
func acceptNotification(upstream *url.URL, transport http.RoundTripper) http.HandlerFunc {
	client := &http.Client{Transport: transport, Timeout: upstreamTimeout}
	return func(w http.ResponseWriter, r *http.Request) {
		target := upstream.JoinPath("check", url.PathEscape(r.PathValue("id"))).String()
		go func() {
			if err := notify(client, target); err != nil {
				log.Print(err)
			}
		}()
		w.WriteHeader(http.StatusAccepted)
	}
}

// notify makes a call and reads its answer, so that the connection can be used again.
func notify(client *http.Client, target string) error {
	response, err := client.Get(target)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	return err
}
