package backbench;

import java.net.URI;

import reactor.core.publisher.Mono;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class VisitController {

	private final VisitRepository visits;

	public VisitController(VisitRepository visits) {
		this.visits = visits;
	}

	@PostMapping("/visits")
	public Mono<ResponseEntity<Visit>> addVisit(@RequestBody NewVisit visit) {
		return this.visits.save(new Visit(visit))
			.map((added) -> ResponseEntity.created(URI.create("/visits/" + added.id())).body(added));
	}

}
