package io.ballast.config.shorthand;

import io.ballast.config.key.Addresses;
import io.ballast.config.key.Durations;
import io.ballast.config.key.ScalarType;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Type;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Types for values in the short form of a configuration file, in which zero often means the default. */
final class ShortTypes {

    private static final String EXPECTED_HOST = "an address or a host name";

    /** A port to listen on. */
    static final Type<Integer> PORT = Scalars.integer(0, 65535);

    /** A host or address without a port; an IPv6 literal with or without brackets. */
    static final Type<String> HOST =
            new ScalarType<>("host", EXPECTED_HOST, ShortTypes::host, host -> host, Map.of("type", "string"));

    /** A duration; zero means that the default of the setting applies. */
    static final Type<Optional<Duration>> DURATION = Durations.DURATION.map(
            duration -> Optional.of(duration).filter(given -> !given.isZero()),
            duration -> duration.orElse(Duration.ZERO));

    private ShortTypes() {}

    /** A number from 0 to {@code max}; zero means that the default of the setting applies. */
    static Type<Optional<Integer>> upTo(int max) {
        return Scalars.integer(0, max)
                .map(number -> Optional.of(number).filter(given -> given > 0), number -> number.orElse(0));
    }

    private static String host(String text) {
        String host = text.indexOf(':') >= 0 && !text.startsWith("[") ? "[" + text + "]" : text;
        return Addresses.parse(host + ":0", EXPECTED_HOST).host();
    }
}
