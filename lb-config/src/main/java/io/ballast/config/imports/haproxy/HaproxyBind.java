package io.ballast.config.imports.haproxy;

import io.ballast.config.imports.Directive;
import io.ballast.config.imports.EnvironmentReference;
import io.ballast.config.imports.ImportReport;
import io.ballast.config.imports.ImportedListener;
import io.ballast.config.imports.UntranslatableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One address of a {@code bind} line.
 *
 * @param directive the line
 * @param address the address in Ballast's format
 */
record HaproxyBind(Directive directive, String address) {

    private static final Pattern INET = Pattern.compile("(?:ipv[46]@)?(.*):([0-9]+)(?:-([0-9]+))?");
    private static final int MAX_PORTS = 64;
    private static final int MAX_CERTIFICATES = 1000;
    private static final String UNIX = "unix@";
    private static final Set<String> SUPPORTED_ALPN = Set.of("h2", "http/1.1");

    /** Returns one object for each address in a {@code bind} line. */
    static List<HaproxyBind> of(Directive directive) throws UntranslatableException {
        List<HaproxyBind> binds = new ArrayList<>();
        for (String text : directive.word(1).split(",", -1)) {
            if (text.startsWith("/") || text.startsWith(UNIX)) {
                binds.add(new HaproxyBind(directive, "unix:" + text.replace(UNIX, "")));
                continue;
            }
            if (EnvironmentReference.isIn(text)) {
                binds.add(new HaproxyBind(directive, text.replaceFirst("^\\*?:", "0.0.0.0:")));
                continue;
            }
            Matcher matcher = INET.matcher(text);
            if (!matcher.matches() || (text.contains("@") && !text.startsWith("ipv"))) {
                throw new UntranslatableException("unsupported bind address (supported: address:port or unix:/path)");
            }
            int first = Integer.parseInt(matcher.group(2));
            int last = matcher.group(3) == null ? first : Integer.parseInt(matcher.group(3));
            if (last - first >= MAX_PORTS) {
                throw new UntranslatableException("a port range can have at most " + MAX_PORTS + " ports");
            }
            for (int port = first; port <= last; port++) {
                binds.add(new HaproxyBind(directive, host(matcher.group(1)) + ":" + port));
            }
        }
        return binds;
    }

    boolean isTls() {
        return directive.words().contains("ssl");
    }

    /** The values of the HAProxy variables that are constant for a listener. */
    record Variables(String https, String port) {

        /** Variables without known values; used for pools, because several listeners may share a pool. */
        static final Variables NONE = new Variables("", "");

        private static final Pattern BY_TLS = Pattern.compile("%\\[ssl_fc,iif\\(([^,()]*),([^,()]*)\\)]");

        /** Returns {@code text} with the known variables replaced by their values. */
        String expand(String text) {
            if (https.isEmpty()) {
                return text;
            }
            return BY_TLS.matcher(text)
                    .replaceAll(match -> Matcher.quoteReplacement(match.group(https.equals("1") ? 1 : 2)))
                    .replace("%[ssl_fc]", https)
                    .replace("%[dst_port]", port)
                    .replace("%fp", port);
        }
    }

    Variables variables() {
        return new Variables(isTls() ? "1" : "0", port());
    }

    String port() {
        return address.substring(address.lastIndexOf(':') + 1);
    }

    /** Translates the parameters that follow the address in a {@code bind} line. */
    void options(ImportedListener listener, ImportReport report) {
        List<String> notes = new ArrayList<>();
        List<Object> certificates = new ArrayList<>();
        List<String> words = directive.words();
        int at = 2;
        while (at < words.size()) {
            String word = words.get(at++);
            String value = at < words.size() ? words.get(at) : "";
            switch (word) {
                case "ssl", "v4v6", "transparent", "tfo", "defer-accept", "no-sslv3", "no-tlsv10", "no-tlsv11" -> {}
                case "crt" -> {
                    at++;
                    certificates(value, certificates, notes);
                }
                case "alpn" -> {
                    at++;
                    List<String> named = List.of(value.split(",", -1));
                    listener.options()
                            .put(
                                    "tls.alpn",
                                    named.stream()
                                            .filter(name -> !listener.isHttp() || SUPPORTED_ALPN.contains(name))
                                            .toList());
                }
                case "ca-file" -> {
                    at++;
                    listener.options().put("tls.client_certificate.ca", value);
                }
                case "verify" -> {
                    at++;
                    if (!value.equals("none")) {
                        listener.options().put("tls.client_certificate.mode", value);
                    }
                }
                case "ssl-min-ver" -> {
                    at++;
                    listener.options().put("tls.profile", value.equals("TLSv1.3") ? "modern" : "intermediate");
                    notes.add("tls.profile determines TLS versions and ciphers: TLS 1.2 and 1.3, or TLS 1.3 only");
                }
                case "ciphers", "ciphersuites", "curves", "ecdhe", "ssl-max-ver" -> {
                    at++;
                    notes.add(word + " is determined by tls.profile");
                }
                case "accept-proxy" -> {
                    listener.options().put("proxy_protocol.trusted", List.of("0.0.0.0/0", "::/0"));
                    notes.add(
                            "every client is still trusted to send a PROXY header; restrict proxy_protocol.trusted to your proxies");
                }
                case "name", "id", "backlog", "process", "thread" -> {
                    at++;
                    notes.add(word + " has no effect in Ballast");
                }
                case "maxconn" -> {
                    at++;
                    listener.options().put("limits.connections", number(value));
                }
                case "mode", "user", "group" -> {
                    at++;
                    listener.options().put("socket." + (word.equals("user") ? "owner" : word), value);
                }
                default -> report.addUnsupported(directive, word);
            }
        }
        if (isTls()
                && listener.isHttp()
                && listener.options().get("tls.alpn").filter(List.of()::equals).isPresent()) {
            listener.options().put("tls.alpn", List.of("http/1.1"));
        } else if (isTls()
                && listener.isHttp()
                && listener.options().get("tls.alpn").isEmpty()) {
            listener.options().put("tls.alpn", List.of("http/1.1"));
            notes.add("without alpn, HTTP/2 is not offered, as in HAProxy before 2.8");
        }
        if (isTls() && certificates.isEmpty()) {
            report.addUnsupported(directive, "ssl requires crt; set tls.certificate");
        }
        if (certificates.size() == 1) {
            ((Map<?, ?>) certificates.get(0))
                    .forEach((key, file) -> listener.options().put("tls." + key, file));
        } else if (!certificates.isEmpty()) {
            listener.options().put("tls.certificates", certificates);
        }
        report.addTranslated(directive, notes);
    }

    /** Adds the certificates at a path: a file with a certificate and its key, or a directory of such files. */
    private static void certificates(String path, List<Object> certificates, List<String> notes) {
        Path directory = EnvironmentReference.isIn(path) ? Path.of("") : Path.of(path);
        if (EnvironmentReference.isIn(path) || !Files.isDirectory(directory)) {
            certificates.add(pair(path));
            return;
        }
        try (Stream<Path> files = Files.list(directory)) {
            files.filter(file -> file.toString().endsWith(".pem"))
                    .sorted()
                    .limit(MAX_CERTIFICATES)
                    .forEach(file -> certificates.add(pair(file.toString())));
            notes.add("only the files that are currently in " + directory + " are used, at most " + MAX_CERTIFICATES);
        } catch (IOException e) {
            notes.add("the directory " + directory + " cannot be read");
        }
    }

    private static Map<String, Object> pair(String path) {
        Map<String, Object> pair = new LinkedHashMap<>();
        pair.put("certificate", path);
        pair.put("key", path);
        return pair;
    }

    /**
     * Returns a number if the text is a decimal number, otherwise the text, which Ballast's configuration reader
     * rejects.
     */
    static Object number(String text) {
        return text.matches("[0-9]{1,9}") ? Integer.valueOf(text) : text;
    }

    private static String host(String host) {
        if (host.isEmpty() || host.equals("*")) {
            return "0.0.0.0";
        }
        String bare = host.replaceAll("^\\[|]$", "");
        return bare.indexOf(':') >= 0 ? "[" + bare + "]" : bare;
    }
}
