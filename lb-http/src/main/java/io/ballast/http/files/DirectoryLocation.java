package io.ballast.http.files;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.route.request.PathNormalizer;
import java.nio.charset.StandardCharsets;

/** Composes the {@code Location} of a directory whose path lacks the final slash. */
final class DirectoryLocation {

    private static final String PLAIN =
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@/%";

    private DirectoryLocation() {}

    /**
     * Returns the normalized path of a request with a final slash, and its query. The result starts with exactly one
     * slash and has no backslash, so that no client reads it as the name of another host.
     *
     * @param target the path and query that the client sent
     */
    static String of(String target) {
        byte[] bytes = target.getBytes(StandardCharsets.ISO_8859_1);
        PathNormalizer path = new PathNormalizer();
        path.normalize(bytes, 0, bytes.length);
        ByteAppender location = new ByteAppender();
        byte[] digits = new byte[2];
        for (int i = path.from(); i < path.to(); i++) {
            byte b = path.bytes()[i];
            if (b >= 0 && PLAIN.indexOf(b) >= 0) {
                location.append(b);
            } else {
                location.append((byte) '%');
                ByteAppender.writeHex(b, 2, digits, 0);
                location.append(digits);
            }
        }
        location.append((byte) '/');
        int query = target.indexOf('?');
        return new String(location.bytes(), 0, location.length(), StandardCharsets.ISO_8859_1)
                + (query < 0 ? "" : target.substring(query));
    }
}
