package backbench;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;

import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

@Table("visits")
@JsonPropertyOrder({ "id", "user", "page", "text" })
public record Visit(@Id Long id, String user, String page, String text) {

	public Visit(NewVisit visit) {
		this(null, visit.user(), visit.page(), visit.text());
	}

}
