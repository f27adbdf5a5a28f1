package backbench;

import org.springframework.data.repository.Repository;

public interface VisitRepository extends Repository<Visit, Long> {

	Visit save(Visit visit);

}
