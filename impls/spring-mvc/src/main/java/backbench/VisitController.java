package backbench;

import java.net.URI;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.TransactionException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class VisitController {

	private final VisitRepository visits;

	public VisitController(VisitRepository visits) {
		this.visits = visits;
	}

	@PostMapping("/visits")
	public ResponseEntity<Visit> addVisit(@RequestBody NewVisit visit) {
		Visit added = this.visits.save(new Visit(visit));
		return ResponseEntity.created(URI.create("/visits/" + added.getId())).body(added);
	}

	// By default, Spring takes a connection that the database has ended for the client's,
	// and answers 200: https://github.com/spring-projects/spring-framework/issues/34481
	@ExceptionHandler(TransactionException.class)
	@ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
	public void failTransaction() {
	}

}
