package io.ballast.http.route.condition;

import io.ballast.http.route.request.RouteScratch;
import io.ballast.http.route.request.RoutedRequest;

/**
 * Requires that a header line passes a test, or that no line does.
 *
 * @param name the header name in lower case
 * @param required false to require that no line passes the test
 */
@SuppressWarnings("ArrayRecordComponent") // records are never compared, and the array never leaves the package
record HeaderCondition(byte[] name, ValueTest test, boolean required) implements Condition {

    @Override
    public boolean holds(RoutedRequest request, byte[] client, RouteScratch scratch) {
        int line = request.headerLine(name, 0);
        while (line >= 0) {
            if (test.accepts(request.bytes(), request.headerStart(line), request.headerEnd(line), scratch)) {
                return required;
            }
            line = request.headerLine(name, line + 1);
        }
        return !required;
    }
}
