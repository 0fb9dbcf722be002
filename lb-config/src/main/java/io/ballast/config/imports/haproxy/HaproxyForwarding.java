package io.ballast.config.imports.haproxy;

import io.ballast.config.imports.Directive;
import io.ballast.config.imports.ImportReport;
import io.ballast.config.imports.ImportedForwarding;
import io.ballast.config.imports.ImportedForwarding.Header;
import io.ballast.config.imports.ImportedForwarding.Policy;
import io.ballast.config.imports.ImportedHeaderEdits;
import io.ballast.config.imports.ImportedListener;
import io.ballast.config.imports.UntranslatableException;
import java.util.Collection;
import java.util.List;

/**
 * Translates the forwarding headers of one listener: first the rules of its frontend, then the rules of its backends,
 * then {@code option forwardfor}, which HAProxy applies last.
 *
 * <p>A listener has one policy for each header. If backends differ, the policy that trusts clients least applies to
 * all.
 */
final class HaproxyForwarding {

    private static final String SRC = "%\\[src]|%ci";
    private static final String HOST = "%\\[(?:req\\.)?f?hdr\\((?i:host)\\)]";

    private final HaproxyBind bind;
    private final ImportedListener listener;
    private final ImportReport report;

    HaproxyForwarding(HaproxyBind bind, ImportedListener listener, ImportReport report) {
        this.bind = bind;
        this.listener = listener;
        this.report = report;
    }

    void read(HaproxySection frontend, HaproxyAcls acls, Collection<HaproxySection> backends) {
        ImportedForwarding common = new ImportedForwarding();
        rules(frontend, acls, common, /* isOfListener= */ true);
        if (backends.isEmpty()) {
            forwardFor(frontend, common);
            listener.forwarding().restrict(common);
        }
        for (HaproxySection backend : backends) {
            ImportedForwarding way = common.copy();
            if (!backend.equals(frontend)) {
                rules(backend, new HaproxyAcls(backend, report), way, /* isOfListener= */ false);
                forwardFor(backend, way);
            }
            forwardFor(frontend, way);
            listener.forwarding().restrict(way);
        }
    }

    private void rules(HaproxySection section, HaproxyAcls acls, ImportedForwarding policies, boolean isOfListener) {
        section.all().filter(HaproxyHeaders::isForwarding).forEach(rule -> {
            Header header = Header.named(rule.word(2)).orElseThrow(); // isForwarding has checked the name
            try {
                switch (HaproxyHeaders.scope(rule, acls, bind)) {
                    case NEVER -> report.addSame(rule);
                    case SOMETIMES ->
                        throw new UntranslatableException(
                                "conditions are not supported, because forwarding applies to all requests");
                    case ALWAYS -> rule(rule, header, policies, isOfListener);
                }
            } catch (UntranslatableException e) {
                policies.put(header, Policy.REPLACE);
                report.addUnsupported(
                        rule, "forwarding: the client's header is replaced by Ballast's own value; " + e.nearest());
            }
        });
    }

    private void rule(Directive rule, Header header, ImportedForwarding policies, boolean isOfListener)
            throws UntranslatableException {
        if (rule.word(1).equals("del-header")) {
            policies.put(header, Policy.REMOVE);
        } else {
            checkValue(header, rule.word(3));
            boolean isList = header == Header.FOR;
            boolean adds = rule.word(1).equals("add-header");
            if (adds && isList && policies.policy(header) == Policy.PASS) {
                policies.put(header, Policy.APPEND);
            } else {
                policies.put(header, Policy.REPLACE);
            }
            if (adds && !isList) {
                report.addChanged(rule, "forwarding: the client's header is replaced, not appended to");
            }
        }
        if (!isOfListener) {
            report.addChanged(
                    rule,
                    "set as 'forwarding' of every listener that uses this backend section, for all of its routes");
        } else if (!report.isReported(rule)) {
            report.addSame(rule);
        }
    }

    /** Accepts only a value that Ballast itself would set for this header from the client's connection. */
    private void checkValue(Header header, String value) throws UntranslatableException {
        boolean isConnectionValue =
                switch (header) {
                    case FOR -> value.matches(SRC);
                    case PROTO -> bind.variables().expand(value).equals(bind.isTls() ? "https" : "http");
                    case HOST -> value.matches(HOST);
                    case PORT -> value.equals("%[dst_port]") || value.equals("%fp") || value.equals(bind.port());
                    case FORWARDED -> false;
                };
        if (!isConnectionValue) {
            throw new UntranslatableException("custom values are not supported");
        }
    }

    private void forwardFor(HaproxySection section, ImportedForwarding policies) {
        section.option("forwardfor").ifPresent(option -> forwardFor(option, policies));
        section.option("forwarded").ifPresent(option -> {
            add(Header.FORWARDED, policies);
            report.addChanged(option, "forwarding: the header is appended, with the parameters for, proto and host");
        });
    }

    private void forwardFor(Directive option, ImportedForwarding policies) {
        List<String> words = option.words();
        String name = "X-Forwarded-For";
        for (int i = 2; i < words.size(); i++) {
            switch (words.get(i)) {
                case "header" -> name = option.word(++i);
                case "except" ->
                    report.addChanged(
                            option, "forwarding: the header is appended for clients of " + option.word(++i) + " too");
                case "if-none" ->
                    report.addChanged(option, "forwarding: the header is appended even if the client sent it");
                default ->
                    report.addUnsupported(option, "forwarding and trusted_proxies do not support " + words.get(i));
            }
        }
        if (name.equalsIgnoreCase("x-forwarded-for")) {
            add(Header.FOR, policies);
            if (!report.isReported(option)) {
                report.addChanged(option, "forwarding: the address is appended to the existing header line");
            }
            return;
        }
        try {
            new ImportedHeaderEdits(listener.options(), "request").add(name, "$remote_addr");
            if (!report.isReported(option)) {
                report.addSame(option);
            }
        } catch (UntranslatableException e) {
            report.addUnsupported(option, e.nearest());
        }
    }

    private static void add(Header header, ImportedForwarding policies) {
        policies.put(
                header,
                switch (policies.policy(header)) {
                    case PASS, APPEND -> Policy.APPEND;
                    case REMOVE, REPLACE -> Policy.REPLACE;
                });
    }
}
