package main

import (
	"errors"
	"net/http"

	"github.com/golang-jwt/jwt/v5"
	"github.com/golang-jwt/jwt/v5/request"
)

type claims struct {
	jwt.RegisteredClaims
	Email *string `json:"email"`
}

// Validate is called by the parser, after it has checked the registered claims.
func (c claims) Validate() error {
	if c.Email == nil {
		return errors.New("token has no email")
	}
	return nil
}

// A verifier verifies bearer tokens that were signed with one secret.
type verifier struct {
	secret []byte
	parser *jwt.Parser
}

func newVerifier(secret string) *verifier {
	return &verifier{
		secret: []byte(secret),
		parser: jwt.NewParser(jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Name})),
	}
}

// email returns whose token a request carries, or what is wrong with it.
func (v *verifier) email(r *http.Request) (string, error) {
	var verified claims
	_, err := request.ParseFromRequest(r, request.BearerExtractor{}, v.key,
		request.WithParser(v.parser), request.WithClaims(&verified))
	if err != nil {
		return "", err
	}
	return *verified.Email, nil
}

func (v *verifier) key(*jwt.Token) (any, error) {
	return v.secret, nil
}
