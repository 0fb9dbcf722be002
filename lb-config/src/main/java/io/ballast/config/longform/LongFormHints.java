package io.ballast.config.longform;

import io.ballast.config.key.Key;
import io.ballast.config.key.Shape;
import io.ballast.config.key.Type;
import io.ballast.config.keys.http.ListenerKeys;
import io.ballast.config.keys.pool.BackendKeys;
import io.ballast.config.keys.pool.PoolKeys;
import java.util.Optional;

/** Hints for keys that exist only in the long form. */
public final class LongFormHints {

    private static final String POOL = "pools.NAME.";
    private static final String LISTENER = "listeners[].";

    private LongFormHints() {}

    /** Returns the long-form location of a top-level key that is used in a short-form file. */
    public static Optional<String> ofFile(String key) {
        if (key.equals("tls")) {
            return Optional.of(
                    "expected: server.cert_file and server.key_file, or in the long form '" + LISTENER + "tls'");
        }
        return findHint(ListenerKeys.LISTENER, LISTENER, key)
                .or(() -> findHint(PoolKeys.POOL, POOL, key))
                .or(() -> findHint(LongForm.SHAPE, "", key));
    }

    /** Returns the long-form location of a key of a backend. */
    public static Optional<String> ofBackend(String key) {
        return findHint(BackendKeys.BACKEND, POOL + "backends[].", key).or(() -> findHint(PoolKeys.POOL, POOL, key));
    }

    /** Returns the long-form location of a key under {@code server}. */
    public static Optional<String> ofServer(String key) {
        return findHint(ListenerKeys.LISTENER, LISTENER, key);
    }

    private static Optional<String> findHint(Type<?> type, String path, String key) {
        return type.shapes().stream()
                .findFirst()
                .filter(shape -> has(shape, key))
                .map(shape -> "the short form does not support this key; use '" + path + key
                        + "' in the long form, a file with 'listeners' and 'pools'");
    }

    private static boolean has(Shape<?> shape, String key) {
        return shape.keys().stream().map(Key::name).anyMatch(key::equals);
    }
}
