package io.ballast.config.form;

import io.ballast.config.key.Key;
import io.ballast.config.key.Shape;
import io.ballast.config.key.Type;
import java.util.Optional;

/** What the short form has no key for and the long form has one. */
final class LongFormHints {

    private static final String POOL = "pools.NAME.";
    private static final String LISTENER = "listeners[].";

    private LongFormHints() {}

    /** Returns where the long form has a key that stands at the top of a short file. */
    static Optional<String> ofFile(String key) {
        if (key.equals("tls")) {
            return Optional.of(
                    "expected: server.cert_file and server.key_file; the long form has '" + LISTENER + "tls'");
        }
        return in(ListenerKeys.LISTENER, LISTENER, key)
                .or(() -> in(PoolKeys.POOL, POOL, key))
                .or(() -> in(LongForm.SHAPE, "", key));
    }

    /** Returns where the long form has a key that stands at a backend. */
    static Optional<String> ofBackend(String key) {
        return in(BackendKeys.BACKEND, POOL + "backends[].", key).or(() -> in(PoolKeys.POOL, POOL, key));
    }

    /** Returns where the long form has a key that stands under {@code server}. */
    static Optional<String> ofServer(String key) {
        return in(ListenerKeys.LISTENER, LISTENER, key);
    }

    private static Optional<String> in(Type<?> type, String path, String key) {
        return type.shapes().stream()
                .findFirst()
                .filter(shape -> has(shape, key))
                .map(shape -> "the short form has none; the long form has '" + path + key
                        + "', in a file with 'listeners' and 'pools'");
    }

    private static boolean has(Shape<?> shape, String key) {
        return shape.keys().stream().map(Key::name).anyMatch(key::equals);
    }
}
