package io.ballast.http.route.condition;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.route.request.RouteScratch;
import io.ballast.http.route.request.RoutedRequest;

/**
 * Requires that a query parameter passes a test, or that no parameter does. The query is parsed as a form:
 * pairs separated by {@code &}, with percent-encoding and {@code +} for a space in names and values. A name
 * without {@code =} has an empty value.
 *
 * @param required false to require that no parameter with the name passes the test
 */
@SuppressWarnings("ArrayRecordComponent") // records are never compared, and the array never leaves the package
record QueryCondition(byte[] name, ValueTest test, boolean required) implements Condition {

    @Override
    public boolean holds(RoutedRequest request, byte[] client, RouteScratch scratch) {
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
            int nameEnd = equals < 0 ? end : equals;
            if (scratch.decodesTo(bytes, position, nameEnd, name)
                    && accepts(bytes, equals < 0 ? end : equals + 1, end, scratch)) {
                return required;
            }
            position = end + 1;
        }
        return !required;
    }

    private boolean accepts(byte[] bytes, int from, int to, RouteScratch scratch) {
        ByteAppender value = scratch.decode(bytes, from, to);
        return test.accepts(value.bytes(), 0, value.length(), scratch);
    }
}
