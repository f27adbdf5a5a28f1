package backbench;

import reactor.core.publisher.Mono;

import org.springframework.data.repository.Repository;

public interface VisitRepository extends Repository<Visit, Long> {

	Mono<Visit> save(Visit visit);

}
