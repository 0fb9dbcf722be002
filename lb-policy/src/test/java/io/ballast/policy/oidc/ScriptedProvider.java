package io.ballast.policy.oidc;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jose.util.JSONObjectUtils;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.ballast.net.testing.TestCertificate;
import io.ballast.policy.jwt.TestTokens;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An OpenID provider that follows RFC 6749, RFC 7636, RFC 9207 and OpenID Connect Core 1.0 strictly: a code is valid
 * once, with its redirect URI and its code verifier; a refresh token is valid once. A test can replace each answer.
 */
final class ScriptedProvider implements AutoCloseable {

    static final String CLIENT_ID = "shop:1";
    static final String CLIENT_SECRET = "s%cret+/";
    static final String REDIRECT_URI = "http://a/oauth2/callback";

    /** An answer of an endpoint. */
    record Reply(int status, String body) {}

    private record Code(String nonce, String challenge, String redirectUri) {}

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicLong seconds;
    private final Map<String, Code> codes = new ConcurrentHashMap<>();
    private final Map<String, Boolean> refreshTokens = new ConcurrentHashMap<>();
    private final AtomicInteger number = new AtomicInteger();
    private final AtomicInteger refreshes = new AtomicInteger();
    private final AtomicInteger exchanges = new AtomicInteger();
    private final AtomicInteger userInfos = new AtomicInteger();
    private final AtomicInteger revocations = new AtomicInteger();
    private final String issuer;

    volatile ECKey key = TestTokens.OLD_KEY;
    volatile ECKey published = TestTokens.OLD_KEY;
    volatile String redirectUri = REDIRECT_URI;
    volatile Map<String, Object> userClaims = Map.of("sub", "ann", "email", "ann@id.example");
    volatile Map<String, Object> userInfo = Map.of();
    volatile UnaryOperator<Map<String, Object>> idTokenClaims = claims -> claims;
    volatile Function<String, String> signer = this::sign;
    volatile UnaryOperator<Map<String, Object>> metadata = document -> document;
    volatile UnaryOperator<Map<String, Object>> tokenMembers = members -> members;
    volatile @Nullable Function<HttpExchange, Reply> token;
    volatile @Nullable Function<HttpExchange, Reply> discovery;
    volatile boolean refreshable;
    volatile boolean refreshSendsIdToken = true;
    volatile int expiresIn = 300;

    /** @param seconds the time in seconds since 1970 */
    ScriptedProvider(AtomicLong seconds) throws IOException {
        this(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0), "http", seconds);
    }

    private ScriptedProvider(HttpServer server, String scheme, AtomicLong seconds) {
        this.seconds = seconds;
        this.server = server;
        this.issuer = scheme + "://127.0.0.1:" + server.getAddress().getPort() + "/realms/shop";
        server.setExecutor(threads);
        serve(
                "/.well-known/openid-configuration",
                exchange -> discovery == null
                        ? new Reply(200, json(metadata.apply(document())))
                        : requireNonNull(discovery).apply(exchange));
        serve("/keys", exchange -> new Reply(200, new JWKSet(published).toString()));
        serve(
                "/token",
                exchange ->
                        token == null ? tokens(exchange) : requireNonNull(token).apply(exchange));
        serve("/userinfo", this::userInfo);
        serve("/revoke", this::revoke);
        server.start();
    }

    /** Starts a provider with TLS. */
    static ScriptedProvider overTls(AtomicLong seconds, TestCertificate certificate) throws IOException {
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(certificate.server()));
        return new ScriptedProvider(server, "https", seconds);
    }

    private void serve(String path, Function<HttpExchange, Reply> endpoint) {
        server.createContext("/realms/shop" + path, exchange -> {
            Reply reply;
            try {
                reply = endpoint.apply(exchange);
            } catch (AssertionError | RuntimeException e) {
                reply = error(400, "invalid_request");
            }
            byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            if (reply.status() / 100 == 3) {
                exchange.getResponseHeaders().set("Location", issuer + path);
            }
            exchange.sendResponseHeaders(reply.status(), body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
    }

    String issuer() {
        return issuer;
    }

    AtomicLong clock() {
        return seconds;
    }

    int exchanges() {
        return exchanges.get();
    }

    int refreshes() {
        return refreshes.get();
    }

    int userInfos() {
        return userInfos.get();
    }

    int revocations() {
        return revocations.get();
    }

    private Map<String, Object> document() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("issuer", issuer);
        document.put("authorization_endpoint", issuer + "/auth?tenant=1");
        document.put("token_endpoint", issuer + "/token");
        document.put("jwks_uri", issuer + "/keys");
        document.put("userinfo_endpoint", issuer + "/userinfo");
        document.put("end_session_endpoint", issuer + "/logout");
        document.put("revocation_endpoint", issuer + "/revoke");
        document.put("authorization_response_iss_parameter_supported", true);
        return document;
    }

    // ---- the authorization endpoint, which a browser visits

    /** Checks an authorization request, logs the user in, and returns the path and query of the callback. */
    String authorize(String url) {
        Map<String, String> request = parameters(URI.create(url).getRawQuery());
        assertThat(url).startsWith(issuer + "/auth?tenant=1&");
        assertThat(request)
                .containsEntry("response_type", "code")
                .containsEntry("client_id", CLIENT_ID)
                .containsEntry("redirect_uri", redirectUri)
                .containsEntry("code_challenge_method", "S256");
        assertThat(List.of(request.getOrDefault("scope", "").split(" "))).contains("openid");
        assertThat(request.get("code_challenge")).matches("[A-Za-z0-9_-]{43}");
        assertThat(request.get("state")).hasSizeGreaterThanOrEqualTo(22);
        assertThat(request.get("nonce")).hasSizeGreaterThanOrEqualTo(22);
        String code = "code-" + number.incrementAndGet();
        codes.put(code, new Code(request.get("nonce"), request.get("code_challenge"), request.get("redirect_uri")));
        return "/oauth2/callback?code=" + code + "&state=" + request.get("state") + "&iss=" + encode(issuer);
    }

    // ---- the token endpoint

    private static boolean isClient(HttpExchange exchange) {
        String credentials = encode(CLIENT_ID) + ":" + encode(CLIENT_SECRET);
        String basic = "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
        return basic.equals(exchange.getRequestHeaders().getFirst("Authorization"));
    }

    private static Map<String, String> form(HttpExchange exchange) {
        try {
            return parameters(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Revokes a refresh token (RFC 7009). */
    private Reply revoke(HttpExchange exchange) {
        if (!isClient(exchange)) {
            return error(401, "invalid_client");
        }
        Map<String, String> form = form(exchange);
        assertThat(form).containsEntry("token_type_hint", "refresh_token");
        refreshTokens.remove(form.getOrDefault("token", ""));
        revocations.incrementAndGet();
        return new Reply(200, "");
    }

    /** Answers a token request as the standards require. */
    Reply tokens(HttpExchange exchange) {
        if (!isClient(exchange)) {
            return error(401, "invalid_client");
        }
        Map<String, String> form = form(exchange);
        return switch (form.getOrDefault("grant_type", "")) {
            case "authorization_code" -> exchange(form);
            case "refresh_token" -> refresh(form);
            default -> error(400, "unsupported_grant_type");
        };
    }

    private Reply exchange(Map<String, String> form) {
        exchanges.incrementAndGet();
        Code code = codes.remove(form.getOrDefault("code", ""));
        boolean isValid = code != null
                && code.redirectUri().equals(form.get("redirect_uri"))
                && code.challenge().equals(hash(form.getOrDefault("code_verifier", ""), 32));
        return isValid ? granted(code.nonce(), true) : error(400, "invalid_grant");
    }

    private Reply refresh(Map<String, String> form) {
        refreshes.incrementAndGet();
        return refreshTokens.remove(form.getOrDefault("refresh_token", "")) == null
                ? error(400, "invalid_grant")
                : granted("", refreshSendsIdToken);
    }

    private Reply granted(String nonce, boolean sendsIdToken) {
        String accessToken = "access-" + number.incrementAndGet();
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("access_token", accessToken);
        members.put("token_type", "Bearer");
        members.put("expires_in", expiresIn);
        if (sendsIdToken) {
            members.put("id_token", signer.apply(json(idTokenClaims.apply(claims(nonce, accessToken)))));
        }
        if (refreshable) {
            String refreshToken = "refresh-" + number.incrementAndGet();
            refreshTokens.put(refreshToken, true);
            members.put("refresh_token", refreshToken);
        }
        return new Reply(200, json(tokenMembers.apply(members)));
    }

    private Map<String, Object> claims(String nonce, String accessToken) {
        Map<String, Object> claims = new LinkedHashMap<>(userClaims);
        claims.put("iss", issuer);
        claims.put("aud", CLIENT_ID);
        claims.put("iat", seconds.get());
        claims.put("exp", seconds.get() + 60);
        claims.put("at_hash", hash(accessToken, 16));
        if (!nonce.isEmpty()) {
            claims.put("nonce", nonce);
        }
        return claims;
    }

    private String sign(String claims) {
        ECKey signing = key;
        return TestTokens.signed(signing, "{\"alg\":\"ES256\",\"kid\":\"" + signing.getKeyID() + "\"}", claims);
    }

    private Reply userInfo(HttpExchange exchange) {
        userInfos.incrementAndGet();
        String token = exchange.getRequestHeaders().getFirst("Authorization");
        return token != null && token.startsWith("Bearer access-")
                ? new Reply(200, json(userInfo))
                : error(401, "invalid_token");
    }

    // ---- formats

    static Reply error(int status, String error) {
        return new Reply(status, json(Map.of("error", error)));
    }

    private static String hash(String text, int bytes) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII));
            return Base64URL.encode(Arrays.copyOf(hash, bytes)).toString();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    static String json(Map<String, Object> members) {
        return JSONObjectUtils.toJSONString(members);
    }

    private static Map<String, String> parameters(String query) {
        Map<String, String> parameters = new HashMap<>();
        for (String pair : query.split("&")) {
            String[] parts = pair.split("=", 2);
            String before = parameters.put(parts[0], URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
            assertThat(before).as("parameter given twice: " + parts[0]).isNull();
        }
        return parameters;
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
