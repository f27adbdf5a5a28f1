package backbench;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

@Entity
@Table(name = "visits")
@JsonPropertyOrder({ "id", "user", "page", "text" })
public class Visit {

	@Id
	@GeneratedValue(strategy = GenerationType.IDENTITY)
	private Long id;

	private String user;

	private String page;

	private String text;

	protected Visit() {
	}

	public Visit(NewVisit visit) {
		this.user = visit.user();
		this.page = visit.page();
		this.text = visit.text();
	}

	public Long getId() {
		return this.id;
	}

	public String getUser() {
		return this.user;
	}

	public String getPage() {
		return this.page;
	}

	public String getText() {
		return this.text;
	}

}
