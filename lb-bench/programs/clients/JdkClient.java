import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.HexFormat;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A client based on the JDK's HttpClient; see README.md. Without TLS, it offers an upgrade to HTTP/2, which the server
 * may ignore.
 */
final class JdkClient {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    public static void main(String[] words) throws Exception {
        String url = words[0];
        HttpClient.Version version = words[1].equals("2") ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1;
        HttpClient client = HttpClient.newBuilder()
                .version(version)
                .sslContext(trusting(Path.of(words[2])))
                .build();
        for (String size : words[3].split(",")) {
            HttpResponse<byte[]> got = request(client, HttpRequest.newBuilder(URI.create(url + "/" + size)));
            HttpResponse<byte[]> sent = request(
                    client,
                    HttpRequest.newBuilder(URI.create(url + "/digest"))
                            .POST(BodyPublishers.ofByteArray(pattern(Integer.parseInt(size)))));
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(got.body());
            System.out.println((got.version() == HttpClient.Version.HTTP_2 ? "HTTP/2" : "HTTP/1.1") + " "
                    + HexFormat.of().formatHex(digest) + " " + new String(sent.body(), StandardCharsets.US_ASCII));
        }
    }

    private static HttpResponse<byte[]> request(HttpClient client, HttpRequest.Builder request) throws Exception {
        HttpResponse<byte[]> response = client.send(request.timeout(TIMEOUT).build(), BodyHandlers.ofByteArray());
        if (response.statusCode() != 200) {
            throw new IllegalStateException(response.uri() + ": " + response.statusCode());
        }
        return response;
    }

    private static byte[] pattern(int size) {
        byte[] body = new byte[size];
        for (int i = 0; i < size; i++) {
            body[i] = (byte) (i ^ i >> 8 ^ i >> 16);
        }
        return body;
    }

    private static SSLContext trusting(Path authority) throws Exception {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        try (InputStream file = Files.newInputStream(authority)) {
            trusted.setCertificateEntry("authority", CertificateFactory.getInstance("X.509").generateCertificate(file));
        }
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }
}
