package io.ballast.config.imports.haproxy;

import io.ballast.config.imports.Conditions;
import io.ballast.config.imports.EnvironmentReference;
import io.ballast.config.imports.NoEqualException;
import io.ballast.config.imports.PathCondition;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The criterion of an ACL: the sample and the comparison, as in {@code hdr_beg(host) -i}. Immutable.
 *
 * @param sample such as {@code hdr}
 * @param argument what stands in brackets behind it
 * @param match such as {@code beg}; {@code str} for a whole value
 * @param ignoresCase whether {@code -i} is given
 * @param values what is compared with; one of them must match
 */
record HaproxyCriterion(String sample, String argument, String match, boolean ignoresCase, List<String> values) {

    private static final Pattern SYNTAX = Pattern.compile(
            "([a-z0-9_.]+?)(?:_(beg|end|reg|dir|dom|sub|len))?(?:\\(([^)]*)\\))?((?:,[a-z0-9_.]+(?:\\([^)]*\\))?)*)");
    private static final Map<String, String> SAMPLES = Map.of(
            "req.hdr", "hdr",
            "req.fhdr", "hdr",
            "urlp", "url_param",
            "req.cook", "cook",
            "cookie", "cook",
            "req_ssl_sni", "sni",
            "req.ssl_sni", "sni",
            "ssl_fc_sni", "sni",
            "base", "base",
            "url", "url");
    private static final Pattern NETWORK = Pattern.compile("[0-9A-Fa-f:.]+(/[0-9]{1,3})?");
    private static final String HOST = "host";

    /** Reads the words behind the name of an ACL, or between the braces of one without a name. */
    static HaproxyCriterion of(List<String> words) throws NoEqualException {
        Matcher matcher = SYNTAX.matcher(words.isEmpty() ? "" : words.get(0));
        if (!matcher.matches()) {
            throw new NoEqualException("host, path, method, header, query, cookie or client of a route's match");
        }
        String sample = SAMPLES.getOrDefault(matcher.group(1), matcher.group(1));
        String match = matcher.group(2) == null ? "str" : matcher.group(2);
        String argument = matcher.group(3) == null ? "" : matcher.group(3);
        boolean ignoresCase = false;
        for (String converter : matcher.group(4).split(",", -1)) {
            if (!converter.isEmpty() && !converter.equals("lower")) {
                throw new NoEqualException("conditions without converters");
            }
            ignoresCase |= converter.equals("lower");
        }
        int at = 1;
        while (at < words.size()
                && words.get(at).startsWith("-")
                && words.get(at).length() > 1) {
            String flag = words.get(at++);
            switch (flag) {
                case "-i" -> ignoresCase = true;
                case "-n" -> {}
                case "-m" -> match = at < words.size() ? words.get(at++) : "";
                case "-f", "-M" -> throw new NoEqualException("a list of values in the route itself");
                case "--" -> {
                    return new HaproxyCriterion(sample, argument, match, ignoresCase, words.subList(at, words.size()));
                }
                default -> throw new NoEqualException("conditions without the flag " + flag);
            }
        }
        return new HaproxyCriterion(sample, argument, match, ignoresCase, words.subList(at, words.size()));
    }

    /** Whether it is the same for all requests of a listener. */
    boolean isConstant() {
        return switch (sample) {
            case "ssl_fc", "always_true", "always_false", "dst_port" -> true;
            default -> false;
        };
    }

    /** Whether a constant holds on a listener. */
    boolean holds(HaproxyBind bind) {
        return switch (sample) {
            case "ssl_fc" -> bind.isTls() && !values.contains("0");
            case "dst_port" -> values.contains(bind.port());
            default -> sample.equals("always_true");
        };
    }

    /** Returns alternative conditions, one of which must hold. Adds a note for each difference in meaning. */
    List<Conditions> alternatives(List<String> notes) throws NoEqualException {
        if (values.stream().anyMatch(EnvironmentReference::isIn)) {
            throw new NoEqualException("values that stand in the file");
        }
        if (match.equals("found") || (values.isEmpty() && match.equals("str") && !argument.isEmpty())) {
            return List.of(named(Map.of("present", true)));
        }
        if (sample.equals("method")) {
            return List.of(Conditions.other("method", List.copyOf(values)));
        }
        if (sample.equals("src")) {
            return List.of(Conditions.other("client", networks()));
        }
        List<Conditions> all = new ArrayList<>();
        for (String value : values) {
            all.addAll(one(value, notes));
        }
        if (all.isEmpty()) {
            throw new NoEqualException("a condition with values");
        }
        return all;
    }

    private List<Conditions> one(String value, List<String> notes) throws NoEqualException {
        boolean isHost = sample.equals("hdr") && argument.split(",", -1)[0].equalsIgnoreCase(HOST);
        if (isHost || sample.equals("sni")) {
            return hosts(value, notes);
        }
        return sample.equals("path") ? List.of(Conditions.path(path(value, notes))) : List.of(named(text(value)));
    }

    private List<Conditions> hosts(String value, List<String> notes) throws NoEqualException {
        String name = value.toLowerCase(Locale.ROOT).replaceAll(":[0-9]+$", "");
        if (sample.equals("hdr") && !ignoresCase) {
            notes.add("hosts are compared in any case");
        }
        return switch (match) {
            case "str" -> List.of(Conditions.host(checked(name)));
            case "end" -> {
                if (!name.startsWith(".")) {
                    throw new NoEqualException("host: '*.suffix' by whole labels");
                }
                yield List.of(Conditions.host("*" + checked(name)));
            }
            case "dom" -> {
                notes.add("the host itself and what lies below it, not any name that has it inside");
                yield List.of(Conditions.host(checked(name)), Conditions.host("*." + name));
            }
            default -> throw new NoEqualException("host: an exact name or '*.suffix'");
        };
    }

    private static String checked(String name) throws NoEqualException {
        if (!name.matches("\\.?[a-z0-9_-]+(\\.[a-z0-9_-]+)*")) {
            throw new NoEqualException("host: an exact name or '*.suffix'");
        }
        return name;
    }

    private PathCondition path(String value, List<String> notes) throws NoEqualException {
        String quoted = PathCondition.quoted(value);
        return switch (match) {
            case "str" -> ignoresCase ? regex(PathCondition.quoted(rooted(value))) : PathCondition.exact(rooted(value));
            case "beg" -> {
                if (ignoresCase || !rooted(value).endsWith("/")) {
                    yield PathCondition.start(rooted(value), ignoresCase);
                }
                if (!value.equals("/")) {
                    notes.add("by whole segments: " + value.replaceAll("/$", "") + " and what is below");
                }
                yield PathCondition.prefix(value);
            }
            case "end" -> within(quoted, "");
            case "sub" -> within(quoted, ".*");
            case "dir" -> regex("(.*/)?" + quoted + "(/.*)?");
            case "reg" -> regex(PathCondition.anywhere(value));
            default -> throw new NoEqualException("path, path_exact or path_regex");
        };
    }

    private PathCondition regex(String regex) throws NoEqualException {
        return PathCondition.regex((ignoresCase ? "(?i)" : "") + regex);
    }

    /** Upper and lower case in a group, so that what comes before it can be narrowed to a prefix. */
    private PathCondition within(String quoted, String end) throws NoEqualException {
        return ignoresCase && !quoted.startsWith("/")
                ? PathCondition.regex(".*(?i:" + quoted + ")" + end)
                : regex(".*" + quoted + end);
    }

    private static String rooted(String path) throws NoEqualException {
        if (!path.startsWith("/") || path.contains("//") || path.matches(".*/\\.{1,2}(/.*)?")) {
            throw new NoEqualException("a path that begins with / and has nothing to resolve");
        }
        return path;
    }

    private Object text(String value) throws NoEqualException {
        String quoted = PathCondition.quoted(value);
        String regex =
                switch (match) {
                    case "str" -> quoted;
                    case "beg" -> quoted + ".*";
                    case "end" -> ".*" + quoted;
                    case "sub" -> ".*" + quoted + ".*";
                    case "reg" -> PathCondition.anywhere(value);
                    default -> throw new NoEqualException("exact, prefix or regex of a value");
                };
        if (match.equals("str") && !ignoresCase) {
            return value;
        }
        if (match.equals("beg") && !ignoresCase) {
            return Map.of("prefix", value);
        }
        return Map.of(
                "regex",
                PathCondition.regex((ignoresCase ? "(?i)" : "") + regex).text());
    }

    private Conditions named(Object value) throws NoEqualException {
        String name = argument.split(",", -1)[0];
        String kind =
                switch (sample) {
                    case "hdr" -> "headers";
                    case "url_param" -> "query";
                    case "cook" -> "cookies";
                    default -> "";
                };
        if (kind.isEmpty() || name.isEmpty()) {
            throw new NoEqualException("host, path, method, header, query, cookie or client of a route's match");
        }
        return Conditions.other(kind + "/" + name, value);
    }

    private List<String> networks() throws NoEqualException {
        List<String> networks = new ArrayList<>();
        for (String value : values) {
            if (!NETWORK.matcher(value).matches()) {
                throw new NoEqualException("networks such as 10.0.0.0/8");
            }
            boolean bare = value.indexOf('/') < 0;
            networks.add(bare ? value + (value.indexOf(':') >= 0 ? "/128" : "/32") : value);
        }
        return networks;
    }
}
