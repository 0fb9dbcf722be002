package io.ballast.acme.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.ballast.net.testing.TestCertificate;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;

/**
 * An ACME server (RFC 8555) for one account and one order at a time. It verifies no signatures, rejects each nonce that
 * it did not issue, and issues certificates with the key of the request. Thread-safe.
 */
public final class ScriptedAuthority implements AutoCloseable {

    private static final String ERROR = "urn:ietf:params:acme:error:";
    /** The token of all challenges. */
    public static final String TOKEN = "LoqXcYV8q5ONbJQxbmR7SCTNo3tiAXDfowyjxAjEuX0";

    private static final Pattern FIELD = Pattern.compile("\"(protected|payload)\":\"([^\"]*)\"");

    private final TestCertificate identity = TestCertificate.create();
    private final HttpsServer server;
    private final KeyPair key;
    private final Set<String> nonces = new HashSet<>();
    private final List<String> requests = new ArrayList<>();
    private int nonce;
    private boolean hasAccount;
    private String name = "";
    private String authorization = "pending";
    private String orderStatus = "pending";
    private String certificate = "";
    private BooleanSupplier verification = () -> true;
    private String refusal = "";
    private String refusalDetail = "";
    private int badNonces;
    private boolean suggests;
    private Instant suggestedStart = Instant.parse("2030-01-01T00:00:00Z");
    private int accounts;
    private final List<String> issued = new ArrayList<>();
    private String profile = "";
    private boolean isRevoked;

    public ScriptedAuthority() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(256);
        key = generator.generateKeyPair();
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(identity.server()));
        server.createContext("/", this::answer);
        server.start();
    }

    public URI directory() {
        return URI.create(base() + "/dir");
    }

    /** Writes the certificate that clients must trust. */
    public Path trusted(Path directory) throws IOException {
        return identity.write(directory, "authority").certificate();
    }

    /** Sets the check of a challenge. */
    public synchronized void verify(BooleanSupplier check) {
        verification = check;
    }

    /** Refuses the next orders with an error of RFC 8555 section 6.7. */
    public synchronized void refuseOrders(String error, String detail) {
        refusal = error;
        refusalDetail = detail;
    }

    /** Rejects the next valid nonces. */
    public synchronized void rejectNonces(int count) {
        badNonces = count;
    }

    /** Suggests when to renew certificates. */
    public synchronized void suggestRenewals() {
        suggests = true;
    }

    /** Suggests to renew certificates within two days from the given time. */
    public synchronized void suggestRenewals(Instant start) {
        suggests = true;
        suggestedStart = start;
    }

    /** The names of all issued certificates. The serial number of the first one is 1. */
    public synchronized List<String> issued() {
        return List.copyOf(issued);
    }

    /** The number of accounts that were created. */
    public synchronized int accounts() {
        return accounts;
    }

    /** Offers a profile of certificates. */
    public synchronized void offerProfile(String next) {
        profile = next;
    }

    /** Forgets the account, as after a loss of its database. */
    public synchronized void forgetAccount() {
        hasAccount = false;
    }

    /** The paths of all requests, each with its decoded payload. */
    public synchronized List<String> requests() {
        return List.copyOf(requests);
    }

    private String base() {
        return "https://localhost:" + server.getAddress().getPort();
    }

    private synchronized void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String payload = decoded(body, "payload");
            requests.add(path + " " + payload);
            if (exchange.getRequestMethod().equals("POST") && !isFresh(body)) {
                problem(exchange, 400, "badNonce", "try again");
            } else {
                answer(exchange, path, payload);
            }
        }
    }

    private boolean isFresh(String body) {
        Matcher given = Pattern.compile("\"nonce\":\"([^\"]*)\"").matcher(decoded(body, "protected"));
        boolean isKnown = given.find() && nonces.remove(given.group(1));
        return isKnown && badNonces-- <= 0;
    }

    private void answer(HttpExchange exchange, String path, String payload) throws IOException {
        switch (path) {
            case "/dir" -> json(exchange, 200, directoryDocument());
            case "/nonce" -> json(exchange, 200, "");
            case "/account" -> account(exchange, payload);
            case "/order" -> newOrder(exchange, payload);
            case "/order/1" -> json(exchange, 200, order());
            case "/authorization" -> json(exchange, 200, authorizationDocument());
            case "/http-01", "/dns-01", "/tls-alpn-01" -> {
                if (!payload.isEmpty()) {
                    authorization = verification.getAsBoolean() ? "valid" : "invalid";
                    orderStatus = authorization.equals("valid") ? "ready" : "invalid";
                }
                json(exchange, 200, challenge(path.substring(1)));
            }
            case "/finalize" -> {
                issue(payload);
                json(exchange, 200, order());
            }
            case "/revoke" -> {
                if (isRevoked) {
                    problem(exchange, 400, "alreadyRevoked", "it is revoked");
                } else {
                    isRevoked = true;
                    json(exchange, 200, "");
                }
            }
            case "/certificate" -> send(exchange, 200, "application/pem-certificate-chain", certificate);
            default -> renewal(exchange, path);
        }
    }

    private String directoryDocument() {
        String all = "\"newNonce\":\"%1$s/nonce\",\"newAccount\":\"%1$s/account\",\"newOrder\":\"%1$s/order\","
                + "\"revokeCert\":\"%1$s/revoke\"";
        String meta = profile.isEmpty() ? "" : ",\"meta\":{\"profiles\":{\"" + profile + "\":\"a profile\"}}";
        return "{" + all.formatted(base()) + meta + (suggests ? ",\"renewalInfo\":\"" + base() + "/renewal\"" : "")
                + "}";
    }

    private void account(HttpExchange exchange, String payload) throws IOException {
        if (!hasAccount && payload.contains("onlyReturnExisting")) {
            problem(exchange, 400, "accountDoesNotExist", "unknown key");
            return;
        }
        int status = hasAccount ? 200 : 201;
        accounts += hasAccount ? 0 : 1;
        hasAccount = true;
        exchange.getResponseHeaders().set("Location", base() + "/account/1");
        json(exchange, status, "{\"status\":\"valid\"}");
    }

    private void newOrder(HttpExchange exchange, String payload) throws IOException {
        if (!refusal.isEmpty()) {
            exchange.getResponseHeaders().set("Retry-After", "Thu, 01 Jan 2099 00:00:00 GMT");
            problem(exchange, refusal.equals("rateLimited") ? 429 : 403, refusal, refusalDetail);
            return;
        }
        Matcher value = Pattern.compile("\"value\":\"([^\"]*)\"").matcher(payload);
        name = value.find() ? value.group(1) : "";
        authorization = "pending";
        orderStatus = "pending";
        isRevoked = false;
        exchange.getResponseHeaders().set("Location", base() + "/order/1");
        json(exchange, 201, order());
    }

    private String order() {
        String found = "{\"status\":\"%s\",\"identifiers\":[{\"type\":\"dns\",\"value\":\"%s\"}],"
                + "\"authorizations\":[\"%3$s/authorization\"],\"finalize\":\"%3$s/finalize\"%4$s}";
        String issued = orderStatus.equals("valid") ? ",\"certificate\":\"" + base() + "/certificate\"" : "";
        return found.formatted(orderStatus, name, base(), issued);
    }

    private String authorizationDocument() {
        String host = name.startsWith("*.") ? name.substring(2) : name;
        return "{\"status\":\"%s\",\"identifier\":{\"type\":\"dns\",\"value\":\"%s\"},\"challenges\":[%s,%s,%s]}"
                .formatted(authorization, host, challenge("http-01"), challenge("dns-01"), challenge("tls-alpn-01"));
    }

    private String challenge(String type) {
        String error = authorization.equals("invalid")
                ? ",\"error\":{\"type\":\"" + ERROR + "unauthorized\",\"detail\":\"wrong response\"}"
                : "";
        return "{\"type\":\"%s\",\"url\":\"%s/%s\",\"token\":\"%s\",\"status\":\"%s\"%s}"
                .formatted(type, base(), type, TOKEN, authorization, error);
    }

    private void issue(String payload) {
        Matcher field = Pattern.compile("\"csr\":\"([^\"]*)\"").matcher(payload);
        try {
            PKCS10CertificationRequest request =
                    new PKCS10CertificationRequest(Base64.getUrlDecoder().decode(field.find() ? field.group(1) : ""));
            X500Name issuer = new X500Name("CN=Scripted CA");
            Instant now = Instant.now();
            issued.add(name);
            X509v3CertificateBuilder builder = new X509v3CertificateBuilder(
                    issuer,
                    BigInteger.valueOf(issued.size()),
                    Date.from(now),
                    Date.from(now.plus(Duration.ofDays(90))),
                    request.getSubject(),
                    request.getSubjectPublicKeyInfo());
            builder.addExtension(
                    Extension.subjectAlternativeName,
                    /* isCritical= */ true,
                    new GeneralNames(new GeneralName(GeneralName.dNSName, name)));
            builder.addExtension(
                    Extension.authorityKeyIdentifier,
                    /* isCritical= */ false,
                    new JcaX509ExtensionUtils().createAuthorityKeyIdentifier(key.getPublic()));
            X509CertificateHolder issued =
                    builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(key.getPrivate()));
            certificate = "-----BEGIN CERTIFICATE-----\n"
                    + Base64.getMimeEncoder().encodeToString(issued.getEncoded()) + "\n-----END CERTIFICATE-----\n";
            orderStatus = "valid";
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void renewal(HttpExchange exchange, String path) throws IOException {
        if (!path.startsWith("/renewal/")) {
            problem(exchange, 404, "malformed", "no such resource: " + path);
            return;
        }
        json(
                exchange,
                200,
                "{\"suggestedWindow\":{\"start\":\"%s\",\"end\":\"%s\"}}"
                        .formatted(suggestedStart, suggestedStart.plus(Duration.ofDays(2))));
    }

    private void problem(HttpExchange exchange, int status, String error, String detail) throws IOException {
        String text = "{\"type\":\"" + ERROR + error + "\",\"detail\":\"" + detail + "\"}";
        send(exchange, status, "application/problem+json", text);
    }

    private void json(HttpExchange exchange, int status, String text) throws IOException {
        send(exchange, status, "application/json", text);
    }

    private void send(HttpExchange exchange, int status, String type, String text) throws IOException {
        String fresh = "nonce" + nonce++;
        nonces.add(fresh);
        exchange.getResponseHeaders().set("Replay-Nonce", fresh);
        exchange.getResponseHeaders().set("Content-Type", type);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        boolean isHead = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(status, isHead || bytes.length == 0 ? -1 : bytes.length);
        if (!isHead && bytes.length > 0) {
            exchange.getResponseBody().write(bytes);
        }
    }

    private static String decoded(String body, String field) {
        Matcher fields = FIELD.matcher(body);
        while (fields.find()) {
            if (fields.group(1).equals(field)) {
                return new String(Base64.getUrlDecoder().decode(fields.group(2)), StandardCharsets.UTF_8);
            }
        }
        return "";
    }

    @Override
    public void close() {
        server.stop(/* delay= */ 0);
    }
}
