package io.ballast.http.config;

import java.time.Duration;
import java.util.List;

/**
 * The configuration of the HTTP frontend. Immutable.
 *
 * @param listeners the listeners, in the order of the file
 * @param grace how long a removed listener waits for its requests in flight
 */
public record HttpConfig(List<ListenerConfig> listeners, Duration grace) {

    public HttpConfig {
        listeners = List.copyOf(listeners);
    }
}
