package io.ballast.config.imports.nginx;

import io.ballast.config.imports.Directive;
import io.ballast.config.imports.ImportReport;
import io.ballast.config.imports.Options;
import io.ballast.config.imports.UntranslatableException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Converts an {@code upstream} block to the settings that all its pools share. */
final class NginxUpstream {

    private static final String OFF = "off";

    private final Directive block;
    private final ImportReport report;
    private final Options pool = new Options();
    private final List<Object> backends = new ArrayList<>();
    private String strategy = "round-robin";
    private boolean weighted;
    private boolean hasBackups;

    private NginxUpstream(Directive block, ImportReport report) {
        this.block = block;
        this.report = report;
    }

    /** Converts an {@code upstream} block to the options of a pool. */
    static Options of(Directive block, ImportReport report) {
        NginxUpstream upstream = new NginxUpstream(block, report);
        upstream.pool.put("strategy", "round-robin");
        block.block().forEach(upstream::directive);
        upstream.finish();
        return upstream.pool;
    }

    private void finish() {
        String within = strategy.equals("round-robin") && weighted ? "weighted-round-robin" : strategy;
        pool.put("strategy", hasBackups ? new TreeMap<>(Map.of("type", "failover", "within", within)) : within);
        pool.put("backends", backends);
        report.addChanged(block, "backends also get active health checks, a TCP handshake every 5 s (see health)");
    }

    private void directive(Directive directive) {
        switch (directive.name()) {
            case "server" -> server(directive);
            case "least_conn" -> {
                strategy = "least-connection";
                report.addSame(directive);
            }
            case "ip_hash" -> {
                strategy = "ip-hash";
                report.addChanged(
                        directive,
                        "hashes the whole address, so clients may be assigned to other backends than before");
            }
            case "random" -> {
                strategy = directive.word(1).equals("two") ? "power-of-two" : "random";
                report.addSame(directive);
            }
            case "hash" -> {
                if (directive.word(1).matches("\\$(binary_)?remote_addr")) {
                    strategy = "ip-hash";
                    report.addChanged(directive, "ip-hash: clients may be assigned to other backends than before");
                } else {
                    report.addUnsupported(
                            directive,
                            "round-robin is used instead; consider strategy hash by header, cookie, path or query");
                }
            }
            case "keepalive" -> {
                pool.put("connections.max_idle", NginxValue.number(directive.word(1)));
                report.addChanged(directive, "connections.max_idle applies per backend and event loop");
            }
            case "keepalive_timeout" -> time(directive, "connections.idle_timeout");
            case "keepalive_time" -> time(directive, "connections.max_age");
            case "keepalive_requests" ->
                report.addChanged(
                        directive,
                        "the number of requests is not limited; connections.max_age limits the age of connections");
            case "zone", "resolver" ->
                report.addChanged(
                        directive,
                        "not needed: Ballast is a single process and follows address changes of names automatically");
            default -> report.addUnsupported(directive, "");
        }
    }

    private void time(Directive directive, String path) {
        try {
            pool.put(path, NginxValue.time(directive.word(1)));
            report.addSame(directive);
        } catch (UntranslatableException e) {
            report.addUnsupported(directive, e.nearest());
        }
    }

    private void server(Directive directive) {
        List<String> notes = new ArrayList<>();
        Map<String, Object> backend = new LinkedHashMap<>();
        backend.put("address", NginxValue.address(directive.word(1), "80"));
        for (String word :
                directive.arguments().subList(1, directive.arguments().size())) {
            int equals = word.indexOf('=');
            String value = word.substring(equals + 1);
            switch (equals < 0 ? word : word.substring(0, equals)) {
                case "weight" -> {
                    weighted |= !value.equals("1");
                    backend.put("weight", NginxValue.number(value));
                }
                case "backup" -> {
                    hasBackups = true;
                    backend.put("priority", 1);
                }
                case "down" -> {
                    backend.put("weight", 0);
                    notes.add(
                            "down: weight 0; use 'lb backends' to take a backend out of service and to enable it again");
                }
                case "max_fails" -> maxFails(value, notes);
                case "fail_timeout" -> failTimeout(directive, value, notes);
                case "max_conns" -> pool.putFirst("connections.max_in_flight", NginxValue.number(value), notes);
                case "resolve" -> notes.add("Ballast always follows changed addresses of host names");
                default -> report.addUnsupported(directive, word);
            }
        }
        backends.add(backend.size() == 1 ? backend.get("address") : backend);
        report.addTranslated(directive, notes);
    }

    private void maxFails(String value, List<String> notes) {
        if (value.equals("0")) {
            disableEjection(notes);
        } else {
            outlier("consecutive_errors", NginxValue.number(value), notes);
        }
        notes.add("consecutive failures are counted, not all failures within fail_timeout");
    }

    /** Converts {@code fail_timeout}. If it is zero, nginx continues to use a failed server. */
    private void failTimeout(Directive directive, String value, List<String> notes) {
        try {
            String time = NginxValue.timeOrZero(value);
            if (time.equals(NginxValue.NO_TIME)) {
                disableEjection(notes);
            } else {
                outlier("ejection", time, notes);
            }
        } catch (UntranslatableException e) {
            report.addUnsupported(directive, e.nearest());
        }
    }

    private void disableEjection(List<String> notes) {
        if (pool.get("outlier").filter(before -> !before.equals(OFF)).isPresent()) {
            notes.add("outlier: off applies to the whole pool");
        }
        pool.put("outlier", OFF);
    }

    private void outlier(String key, Object value, List<String> notes) {
        if (pool.get("outlier").filter(OFF::equals).isEmpty()) {
            pool.putFirst("outlier." + key, value, notes);
        }
    }
}
