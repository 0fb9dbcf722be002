package io.ballast.http.route.key;

import io.ballast.core.balance.Hash64;
import io.ballast.core.config.HashConfig;
import io.ballast.core.config.HashKey;
import io.ballast.core.config.StrategyConfig;
import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.route.request.RouteScratch;
import io.ballast.http.route.request.RoutedRequest;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Hashes a part of a request, so that requests with the same part go to the same backend. Immutable. Cost: finding the
 * part, and one step per eight bytes of it; no allocation.
 */
public sealed interface RequestKey {

    /** The hash of a missing or empty part. */
    long NONE = 0;

    /** The hash of the request part that is the key; {@link #NONE} if the part is missing or empty. */
    long hash(RoutedRequest request, RouteScratch scratch);

    /** The key that a strategy hashes; null for the client's address or no hashing. */
    static @Nullable RequestKey of(StrategyConfig strategy) {
        Optional<HashConfig> hash = strategy.hash();
        return hash.isPresent() ? of(hash.get().key()) : null;
    }

    private static @Nullable RequestKey of(HashKey key) {
        return switch (key.source()) {
            case CLIENT -> null;
            case PATH -> Path.INSTANCE;
            case HEADER -> new Header(key.name().toLowerCase(Locale.ROOT).getBytes(StandardCharsets.US_ASCII));
            case COOKIE -> new Cookie(key.name().getBytes(StandardCharsets.UTF_8));
            case QUERY -> new Query(key.name().getBytes(StandardCharsets.UTF_8));
        };
    }

    private static long of(byte[] bytes, int from, int to) {
        return to <= from ? NONE : Hash64.of(bytes, from, to);
    }

    /** Hashes the path as sent, without the query. */
    enum Path implements RequestKey {
        INSTANCE;

        @Override
        public long hash(RoutedRequest request, RouteScratch scratch) {
            return of(request.bytes(), request.pathStart(), RouteScratch.pathEnd(request));
        }
    }

    /**
     * Hashes the value of the first line of a header.
     *
     * @param name the header name in lower case
     */
    @SuppressWarnings("ArrayRecordComponent") // records are never compared, and the array never leaves the package
    record Header(byte[] name) implements RequestKey {

        @Override
        public long hash(RoutedRequest request, RouteScratch scratch) {
            int line = request.headerLine(name, 0);
            return line < 0 ? NONE : of(request.bytes(), request.headerStart(line), request.headerEnd(line));
        }
    }

    /** Hashes the first cookie with the given name. */
    @SuppressWarnings("ArrayRecordComponent") // records are never compared, and the array never leaves the package
    record Cookie(byte[] name) implements RequestKey {

        @Override
        public long hash(RoutedRequest request, RouteScratch scratch) {
            long range = Cookies.find(request, name);
            return range == Cookies.NONE ? NONE : of(request.bytes(), Cookies.from(range), Cookies.to(range));
        }
    }

    /** Hashes the decoded value of the first query parameter with the given name. */
    @SuppressWarnings("ArrayRecordComponent") // records are never compared, and the array never leaves the package
    record Query(byte[] name) implements RequestKey {

        @Override
        public long hash(RoutedRequest request, RouteScratch scratch) {
            byte[] bytes = request.bytes();
            int to = request.pathEnd();
            int position = RouteScratch.pathEnd(request) + 1;
            while (position < to) {
                int end = position;
                int equals = -1;
                while (end < to && bytes[end] != '&') {
                    equals = equals < 0 && bytes[end] == '=' ? end : equals;
                    end++;
                }
                if (equals >= 0 && scratch.decodesTo(bytes, position, equals, name)) {
                    ByteAppender value = scratch.decode(bytes, equals + 1, end);
                    return of(value.bytes(), 0, value.length());
                }
                position = end + 1;
            }
            return NONE;
        }
    }
}
