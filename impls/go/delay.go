package main

import (
	"log"
	"net/http"
	"strconv"
	"time"
)

type delayed struct {
	Delayed uint64 `json:"delayed"`
}

func answerLate(w http.ResponseWriter, r *http.Request) {
	milliseconds, err := strconv.ParseUint(r.PathValue("ms"), 10, 32)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	select {
	case <-time.After(time.Duration(milliseconds) * time.Millisecond):
	case <-r.Context().Done():
		return
	}
	if err := writeJSON(w, http.StatusOK, delayed{milliseconds}); err != nil {
		log.Print(err)
	}
}
