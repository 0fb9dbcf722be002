package io.ballast.http.route.condition;

import io.ballast.http.route.request.RouteScratch;
import io.ballast.http.route.request.RoutedRequest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Requires that the method is in a list; methods are case-sensitive (RFC 9110 section 9.1). */
final class MethodCondition implements Condition {

    private final byte[][] methods;

    MethodCondition(List<String> methods) {
        this.methods = methods.stream()
                .map(method -> method.getBytes(StandardCharsets.US_ASCII))
                .toArray(byte[][]::new);
    }

    @Override
    public boolean holds(RoutedRequest request, byte[] client, RouteScratch scratch) {
        for (byte[] method : methods) {
            if (Arrays.equals(method, 0, method.length, request.bytes(), request.methodStart(), request.methodEnd())) {
                return true;
            }
        }
        return false;
    }
}
