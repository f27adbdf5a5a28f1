package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"strconv"
	"time"
)

type visit struct {
	ID   int64  `json:"id"`
	User string `json:"user"`
	Page string `json:"page"`
	Text string `json:"text"`
}

// visitIn returns the visit in the body of a request, and whether it is one. Keys of a map match to the letter, those of a
// struct in any case.
func visitIn(body []byte) (visit, bool) {
	var fields map[string]any
	if err := json.Unmarshal(body, &fields); err != nil {
		return visit{}, false
	}
	user, hasUser := fields["user"].(string)
	page, hasPage := fields["page"].(string)
	text, hasText := fields["text"].(string)
	return visit{User: user, Page: page, Text: text}, hasUser && hasPage && hasText
}

type visitStore struct {
	insert *sql.Stmt
}

func newVisitStore(db *sql.DB) (*visitStore, error) {
	insert, err := db.Prepare("INSERT INTO visits (user, page, text) VALUES (?, ?, ?)")
	if err != nil {
		return nil, err
	}
	return &visitStore{insert}, nil
}

// add stores a visit, and returns its id.
func (s *visitStore) add(ctx context.Context, v visit) (int64, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	result, err := s.insert.ExecContext(ctx, v.User, v.Page, v.Text)
	if err != nil {
		return 0, err
	}
	return result.LastInsertId()
}

func addVisit(visits *visitStore) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 64<<10))
		added, isVisit := visitIn(body)
		if err != nil || !isVisit {
			http.Error(w, "Bad Request", http.StatusBadRequest)
			return
		}
		added.ID, err = visits.add(r.Context(), added)
		if err == nil {
			w.Header().Set("Location", "/visits/"+strconv.FormatInt(added.ID, 10))
			err = writeJSON(w, http.StatusCreated, added)
		}
		if err != nil {
			log.Print(err)
			http.Error(w, "Internal Server Error", http.StatusInternalServerError)
		}
	}
}
