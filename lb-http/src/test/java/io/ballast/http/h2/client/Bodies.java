package io.ballast.http.h2.client;

import io.ballast.http.testing.Script;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.zip.CRC32;

/** Random bodies and their checksums. */
final class Bodies {

    private Bodies() {}

    static byte[] random(int length, long seed) {
        byte[] body = new byte[length];
        new SplittableRandom(seed).nextBytes(body);
        return body;
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    static String sum(byte[] body) {
        CRC32 sum = new CRC32();
        sum.update(body);
        return body.length + " bytes, " + Long.toHexString(sum.getValue());
    }

    /** Sends the body back unchanged. */
    static Script back() {
        return connection -> {
            String head = connection.readHead();
            String body = connection.readBody(head);
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
        };
    }

    /** Returns the data of a chunked body. */
    static byte[] dechunk(String raw) {
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        int at = 0;
        while (true) {
            int end = raw.indexOf("\r\n", at);
            int size = Integer.parseInt(raw.substring(at, end), 16);
            if (size == 0) {
                return data.toByteArray();
            }
            data.writeBytes(bytes(raw.substring(end + 2, end + 2 + size)));
            at = end + 2 + size + 2;
        }
    }
}
