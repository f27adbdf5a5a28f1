package main

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/golang-jwt/jwt/v5"
)

type claims struct {
	jwt.RegisteredClaims
	Email *string `json:"email"`
}

// Validate is called by the parser, after it has checked the registered claims.
func (c *claims) Validate() error {
	if c.Email == nil {
		return errors.New("token has no email")
	}
	return nil
}

type emailKey struct{}

// authenticate answers 401 to requests without a valid token, and hands others on with the email of theirs.
func authenticate(secret []byte, next http.Handler) http.Handler {
	parser := jwt.NewParser(jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Name}))
	key := func(*jwt.Token) (any, error) { return secret, nil }

	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, found := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		var caller claims
		if _, err := parser.ParseWithClaims(token, &caller, key); !found || err != nil {
			http.Error(w, "Unauthorized", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), emailKey{}, *caller.Email)))
	})
}

func callerEmail(ctx context.Context) string {
	email, _ := ctx.Value(emailKey{}).(string)
	return email
}
