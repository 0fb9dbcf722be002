package io.ballast.dashboard;

import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.control.Event;
import io.ballast.dashboard.server.HttpProblem;
import io.ballast.dashboard.server.Request;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Selects events of the timeline. An absent filter matches every event.
 *
 * @param after an event id: only newer events match
 * @param origin origin of the event
 * @param contains part of the subject or text, in lower case
 */
record EventSearch(long after, Optional<Origin> origin, Optional<String> contains) {

    private static final long BEFORE_ALL = -1;

    /** Reads the query parameters; throws {@link HttpProblem} 400 for an invalid value. */
    static EventSearch of(Request request) {
        return new EventSearch(
                QueryParameters.text(request, "after").map(EventSearch::parseId).orElse(BEFORE_ALL),
                QueryParameters.text(request, "origin").map(EventSearch::origin),
                QueryParameters.text(request, "contains").map(text -> text.toLowerCase(Locale.ROOT)));
    }

    private static long parseId(String text) {
        try {
            long id = Long.parseLong(text);
            if (id >= 0) {
                return id;
            }
        } catch (NumberFormatException e) {
            // The text is not a number; the code below reports it.
        }
        throw HttpProblem.badRequest("after: " + text + " (expected: the id of an event, or 0)");
    }

    private static Origin origin(String label) {
        return Arrays.stream(Origin.values())
                .filter(origin -> origin.label().equals(label))
                .findFirst()
                .orElseThrow(() -> HttpProblem.badRequest("origin: " + label + " (expected: one of "
                        + Arrays.stream(Origin.values()).map(Origin::label).collect(Collectors.joining(", ")) + ")"));
    }

    /** Returns the matching events in their original order. */
    List<Event> of(List<Event> events) {
        return events.stream().filter(this::matches).toList();
    }

    private boolean matches(Event event) {
        return event.id() > after
                && origin.map(event.origin()::equals).orElse(true)
                && contains.map((event.subject() + " " + event.text()).toLowerCase(Locale.ROOT)::contains)
                        .orElse(true);
    }
}
