package io.ballast.http.h1.wire;

import io.ballast.http.head.FieldScanner;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Typical heads with ten header lines each. */
public final class SampleHeads {

    public static final String REQUEST = """
            GET /shop/articles/1842?color=blue&size=m HTTP/1.1
            Host: www.example.com
            User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0
            Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8
            Accept-Language: en-US,en;q=0.5
            Accept-Encoding: gzip, deflate, br, zstd
            Referer: https://www.example.com/shop/articles
            Cookie: session=8a7f2e6b90c14d53a1f0; theme=dark; consent=1
            Connection: keep-alive
            Upgrade-Insecure-Requests: 1
            Priority: u=0, i

            """;

    public static final String RESPONSE = """
            HTTP/1.1 200 OK
            Server: nginx/1.22.1
            Date: Tue, 05 Aug 2025 12:00:00 GMT
            Content-Type: text/html; charset=utf-8
            Content-Length: 18432
            Connection: keep-alive
            Cache-Control: private, max-age=0, must-revalidate
            ETag: "66b0c1e2-4800"
            Vary: Accept-Encoding
            Set-Cookie: session=8a7f2e6b90c14d53a1f0; Path=/; HttpOnly; Secure; SameSite=Lax
            Strict-Transport-Security: max-age=31536000

            """;

    private SampleHeads() {}

    /** Returns the bytes of a head with CRLF line ends. */
    public static byte[] bytes(String head) {
        return head.replace("\n", "\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns a copy with the padding bytes that scanners may read beyond the end of the head. */
    public static byte[] scannable(byte[] head) {
        return Arrays.copyOf(head, head.length + FieldScanner.SLACK);
    }
}
