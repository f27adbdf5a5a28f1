package backbench;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class NotifyController {

	private final Notifier notifier;

	public NotifyController(Notifier notifier) {
		this.notifier = notifier;
	}

	@PostMapping("/notify/{id}")
	@ResponseStatus(HttpStatus.ACCEPTED)
	public void accept(@PathVariable String id) {
		this.notifier.send(id);
	}

}
