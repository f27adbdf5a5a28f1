package main

import (
	"context"
	"database/sql"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"github.com/go-sql-driver/mysql"
)

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	db, err := openDatabase()
	if err != nil {
		return err
	}
	defer db.Close()
	users, err := newUserStore(db)
	if err != nil {
		return err
	}
	visits, err := newVisitStore(db)
	if err != nil {
		return err
	}

	upstream, err := url.Parse(os.Getenv("UPSTREAM_URL"))
	if err != nil {
		return err
	}

	transport := newTransport()

	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", showUser(newVerifier(os.Getenv("JWT_SECRET")), users))
	mux.HandleFunc("POST /visits", addVisit(visits))
	mux.HandleFunc("GET /hello", sayHello)
	mux.HandleFunc("GET /delay/{ms}", answerLate)
	mux.Handle("GET /gateway/{id}", newGateway(upstream, transport))
	mux.HandleFunc("POST /notify/{id}", acceptNotification(upstream, transport))
	server := &http.Server{
		Addr:    net.JoinHostPort(os.Getenv("HOST"), os.Getenv("PORT")),
		Handler: mux,
	}

	failed := make(chan error, 1)
	go func() { failed <- server.ListenAndServe() }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}

	deadline, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	return server.Shutdown(deadline)
}

func sayHello(w http.ResponseWriter, _ *http.Request) {
	fmt.Fprint(w, "Hello, World!")
}

func openDatabase() (*sql.DB, error) {
	poolMax, err := strconv.Atoi(os.Getenv("DB_POOL_MAX"))
	if err != nil {
		return nil, err
	}
	config := mysql.NewConfig()
	config.Net = "tcp"
	config.Addr = net.JoinHostPort(os.Getenv("DB_HOST"), os.Getenv("DB_PORT"))
	config.User = os.Getenv("DB_USER")
	config.Passwd = os.Getenv("DB_PASSWORD")
	config.DBName = os.Getenv("DB_NAME")
	connector, err := mysql.NewConnector(config)
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(poolMax)
	db.SetMaxIdleConns(poolMax)
	// What the driver recommends: a connection ends here before the server, or what is between, ends it.
	db.SetConnMaxLifetime(3 * time.Minute)
	return db, nil
}
