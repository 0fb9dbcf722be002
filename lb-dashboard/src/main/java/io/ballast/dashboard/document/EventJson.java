package io.ballast.dashboard.document;

import io.ballast.core.control.Event;
import io.ballast.dashboard.json.JsonWriter;
import java.util.List;

/** Writes events of the timeline, oldest first. */
final class EventJson {

    private EventJson() {}

    static void field(JsonWriter json, List<Event> events) {
        json.array("events", () -> events.forEach(event -> write(json, event)));
    }

    private static void write(JsonWriter json, Event event) {
        json.object(() -> {
            json.field("id", event.id());
            json.field("time", event.time().toString());
            json.field("origin", event.origin().label());
            json.field("subject", event.subject());
            json.field("text", event.text());
        });
    }
}
