package io.ballast.config.imports.haproxy;

import io.ballast.config.imports.Directive;
import io.ballast.config.imports.EnvironmentReference;
import io.ballast.config.imports.ImportReport;
import io.ballast.config.imports.Options;
import io.ballast.config.imports.UntranslatableException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Translates the {@code server} lines of a backend, including their {@code default-server} settings. For a
 * setting that HAProxy has per server and Ballast per pool, the first server's value is used. Different
 * values of other servers are reported.
 */
final class HaproxyServers {

    private static final int QUEUE = 1024;

    private final Options pool;
    private final ImportReport report;
    private final List<Map<String, Object>> backends = new ArrayList<>();
    private List<String> notes = new ArrayList<>();
    private final List<CheckPlace> checkPlaces = new ArrayList<>();
    private boolean checked;
    private boolean checksTls;
    private boolean weighted;
    private int backups;
    private boolean insecure;
    private String checkPort = "";
    private String checkAddress = "";
    private @Nullable Boolean areTls;
    private @Nullable Boolean areInsecure;

    HaproxyServers(Options pool, ImportReport report) {
        this.pool = pool;
        this.report = report;
    }

    /**
     * The address and port of a server's health check.
     *
     * @param address the address; empty for the server's own address
     * @param port the port; empty for the server's own port
     */
    private record CheckPlace(Directive directive, String address, String port) {}

    /** Returns whether at least one server has a check that Ballast supports. */
    boolean areChecked() {
        return checked;
    }

    /** Returns whether health checks use TLS. */
    boolean areCheckedByTls() {
        return checksTls;
    }

    /** Returns whether requests to the servers use TLS. */
    boolean areTls() {
        return Boolean.TRUE.equals(areTls);
    }

    /** Returns whether the certificates of servers are not verified. */
    boolean areInsecure() {
        return Boolean.TRUE.equals(areInsecure) || insecure;
    }

    /** Returns whether any server has a weight other than 1. */
    boolean areWeighted() {
        return weighted;
    }

    /** Returns whether there are backup servers, which serve only if no other server is usable. */
    boolean hasBackups() {
        return backups > 0;
    }

    /** Reads all lines of a section. */
    void read(HaproxySection section) {
        boolean allBackups = section.option("allbackups").isPresent();
        section.option("allbackups").ifPresent(report::addSame);
        List<String> defaults = new ArrayList<>();
        section.all().forEach(directive -> {
            if (directive.name().equals("default-server")) {
                defaults.addAll(directive.arguments());
                report.addSame(directive);
            } else if (directive.name().equals("server")) {
                notes = new ArrayList<>();
                try {
                    server(directive, defaults, allBackups);
                    report.addTranslated(directive, notes);
                } catch (UntranslatableException e) {
                    report.addUnsupported(directive, e.nearest());
                }
            } else if (directive.name().equals("server-template")) {
                report.addUnsupported(directive, "use a backend with a host name; Ballast follows its address changes");
            }
        });
        checkPlaces();
        pool.put(
                "backends",
                backends.stream()
                        .map(backend -> backend.size() == 1 ? backend.get("address") : backend)
                        .toList());
    }

    /**
     * Converts check ports and check addresses. A port that all servers share becomes the port of the pool. All
     * servers must have the same check address, otherwise health checks are disabled.
     */
    private void checkPlaces() {
        List<String> ports =
                checkPlaces.stream().map(CheckPlace::port).distinct().toList();
        List<String> addresses =
                checkPlaces.stream().map(CheckPlace::address).distinct().toList();
        if (addresses.size() > 1 || !addresses.stream().allMatch(HaproxyServers::isLiteral)) {
            checkPlaces.forEach(place -> report.addUnsupported(
                    place.directive,
                    "health.address is set per pool, but the servers differ; no health check is imported"));
            checked = false;
        }
        if (!checked) {
            return;
        }
        addresses.stream()
                .filter(address -> !address.isEmpty())
                .forEach(address -> pool.put("health.address", address));
        if (ports.size() == 1) {
            ports.stream()
                    .filter(port -> !port.isEmpty())
                    .forEach(port -> pool.put("health.port", HaproxyBind.number(port)));
            return;
        }
        for (int i = 0; i < backends.size(); i++) {
            String port = checkPlaces.get(i).port;
            if (!port.isEmpty()) {
                backends.get(i).put("health_port", HaproxyBind.number(port));
            }
        }
    }

    private static boolean isLiteral(String address) {
        return address.isEmpty() || address.matches("[0-9.]+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");
    }

    private void server(Directive directive, List<String> defaults, boolean allBackups) throws UntranslatableException {
        Map<String, Object> backend = new LinkedHashMap<>();
        backend.put("address", address(directive.word(2)));
        List<String> words = new ArrayList<>(defaults);
        words.addAll(directive
                .words()
                .subList(
                        Math.min(3, directive.words().size()), directive.words().size()));
        boolean isBackup = false;
        boolean isChecked = false;
        boolean isTls = false;
        insecure = false;
        checkPort = "";
        checkAddress = "";
        int at = 0;
        while (at < words.size()) {
            String word = words.get(at++);
            switch (word) {
                case "check" -> isChecked = true;
                case "no-check" -> isChecked = false;
                case "backup" -> isBackup = true;
                case "ssl" -> isTls = true;
                case "no-ssl" -> isTls = false;
                case "disabled" -> {
                    backend.put("weight", 0);
                    notes.add(
                            "disabled: weight 0; use 'lb backends' to take a backend out of service and to enable it again");
                }
                case "send-proxy", "send-proxy-v2", "no-backup", "enabled", "check-ssl", "check-send-proxy", "tfo" ->
                    flag(word);
                default -> at = convertValue(directive, word, words, at, backend);
            }
        }
        checked |= isChecked;
        if (!isChecked) {
            notes.add("no 'check', but Ballast checks either all backends of a pool or none");
        }
        tls(directive, isTls);
        if (isBackup) {
            backups++;
            backend.put("priority", allBackups ? 1 : backups);
        }
        backends.add(backend);
        checkPlaces.add(new CheckPlace(directive, checkAddress, checkPort));
        // HAProxy checks the address to which it forwards, unless the check has its own address.
        boolean hasOwnAddress = !checkAddress.isEmpty() || !checkPort.isEmpty();
        checksTls |= words.contains("check-ssl") || (isTls && !hasOwnAddress);
        if (words.contains("check-send-proxy")) {
            pool.putFirst("health.proxy_protocol", words.contains("send-proxy-v2") ? "v2" : "v1", notes);
        }
    }

    private void flag(String word) {
        switch (word) {
            case "send-proxy" -> pool.putFirst("connections.proxy_protocol", "v1", notes);
            case "send-proxy-v2" -> pool.putFirst("connections.proxy_protocol", "v2", notes);
            default -> {}
        }
    }

    private int convertValue(Directive directive, String word, List<String> words, int at, Map<String, Object> backend)
            throws UntranslatableException {
        String value = at < words.size() ? words.get(at) : "";
        switch (word) {
            case "weight" -> {
                if (!value.equals("1")) {
                    weighted = true;
                    backend.put("weight", HaproxyBind.number(value));
                }
            }
            case "inter" -> pool.putFirst("health.interval", HaproxyTime.toDurationText(value), notes);
            case "fastinter" -> pool.putFirst("health.fast_interval", HaproxyTime.toDurationText(value), notes);
            case "downinter" ->
                notes.add("downinter: the check interval starts at fast_interval and doubles up to interval");
            case "slowstart" -> {
                pool.putFirst("slow_start", HaproxyTime.toDurationText(value), notes);
                notes.add("slow_start: a backend starts at one tenth of its weight");
            }
            case "rise", "fall" -> pool.putFirst("health." + word, HaproxyBind.number(value), notes);
            case "maxconn" -> {
                pool.putFirst("connections.max_in_flight", HaproxyBind.number(value), notes);
                pool.putFirst("queue.size", QUEUE, notes);
                notes.add("at most " + QUEUE + " requests wait in the queue");
            }
            case "port" -> checkPort = value;
            case "addr" -> checkAddress = value;
            case "check-sni", "check-alpn" -> notes.add(word + ": checks use the TLS settings of the pool");
            case "verify" -> insecure = value.equals("none");
            case "ca-file" -> tls("ca", value);
            case "crt" -> {
                tls("certificate", value);
                tls("key", value);
            }
            case "sni", "verifyhost" -> {
                if (!value.matches("str\\([^)]+\\)|[A-Za-z0-9.-]+")) {
                    report.addUnsupported(directive, "tls.server_name supports only a fixed name, not " + value);
                } else {
                    tls("server_name", value.replaceAll("^str\\(|\\)$", ""));
                }
            }
            case "alpn" ->
                pool.putFirst(
                        "protocol", value.startsWith("h2") ? (value.contains(",") ? "auto" : "h2") : "http1", notes);
            case "proto" -> pool.putFirst("protocol", value.equals("h2") ? "h2c" : "http1", notes);
            case "id",
                    "maxqueue",
                    "minconn",
                    "pool-max-conn",
                    "pool-purge-delay",
                    "pool-low-conn",
                    "init-addr",
                    "resolvers",
                    "resolve-prefer",
                    "on-marked-down",
                    "ciphers",
                    "ssl-min-ver" -> notes.add(word + " is ignored");
            case "cookie",
                    "track",
                    "agent-check",
                    "observe",
                    "error-limit",
                    "on-error",
                    "source",
                    "agent-port",
                    "agent-inter" -> {
                report.addUnsupported(directive, word + nearest(word));
                return word.equals("agent-check") ? at : at + 1;
            }
            default -> {
                report.addUnsupported(directive, word);
                return at;
            }
        }
        return at + 1;
    }

    private static String nearest(String word) {
        return switch (word) {
            case "cookie" -> ": use the strategy sticky, which sets a cookie, or ip-hash";
            case "observe", "error-limit", "on-error" -> ": use 'outlier' of the pool";
            default -> "";
        };
    }

    /**
     * Converts the TLS settings of a server. If HAProxy verifies the certificates of only some servers, the pool
     * verifies the certificates of all servers.
     */
    private void tls(Directive directive, boolean isTls) {
        if (areTls != null && areTls != isTls) {
            report.addUnsupported(directive, "either all backends of a pool use TLS or none; use two pools");
        }
        areTls = isTls;
        if (!isTls) {
            return;
        }
        if (pool.get("tls").isEmpty()) {
            pool.put("tls", true);
        }
        if (areInsecure != null && areInsecure != insecure) {
            pool.get("tls.insecure").ifPresent(before -> pool.put("tls.insecure", false));
            report.addUnsupported(
                    directive,
                    "backend certificates of a pool are either all verified, as imported, or none; use two pools");
        } else if (insecure) {
            tls("insecure", true);
        }
        areInsecure = insecure;
    }

    private void tls(String key, Object value) {
        if (pool.get("tls").filter(Boolean.TRUE::equals).isPresent()) {
            pool.remove("tls");
        }
        pool.putFirst("tls." + key, value, notes);
    }

    private static String address(String text) throws UntranslatableException {
        if (text.startsWith("/") || text.startsWith("unix@")) {
            return "unix:" + text.replace("unix@", "");
        }
        String bare = text.replaceAll("^ipv[46]@", "");
        if (EnvironmentReference.isIn(bare)) {
            return bare;
        }
        int colon = bare.lastIndexOf(':');
        if (colon < 0 || !bare.substring(colon + 1).matches("[0-9]{1,5}")) {
            throw new UntranslatableException("unsupported address (expected: an address with a fixed port)");
        }
        String host = bare.substring(0, colon).replaceAll("^\\[|]$", "");
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + bare.substring(colon);
    }
}
