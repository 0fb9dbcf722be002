package io.ballast.config.imports.haproxy;

import io.ballast.config.imports.EnvironmentReference;
import io.ballast.config.imports.ImportedConditions;
import io.ballast.config.imports.ImportedPath;
import io.ballast.config.imports.UntranslatableException;
import io.ballast.core.ErrorText;
import io.ballast.core.net.Cidr;
import io.ballast.policy.address.NetworkListException;
import io.ballast.policy.address.NetworkListFile;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The criterion of an ACL: a sample and a comparison, as in {@code hdr_beg(host) -i}. Immutable.
 *
 * @param sample the name of the sample, such as {@code hdr}
 * @param argument the text in parentheses
 * @param match the matching method, such as {@code beg}; {@code str} to compare the whole value
 * @param ignoresCase whether {@code -i} is given
 * @param values the values to compare with; one of them must match
 * @param files the files with further values
 */
record HaproxyCriterion(
        String sample, String argument, String match, boolean ignoresCase, List<String> values, List<String> files) {

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
    private static final String FILES = "values from files or maps are not supported; list the values in the route";

    /** Reads the words after the name of an ACL, or between the braces of an anonymous ACL. */
    static HaproxyCriterion of(List<String> words) throws UntranslatableException {
        Matcher matcher = SYNTAX.matcher(words.isEmpty() ? "" : words.get(0));
        if (!matcher.matches()) {
            throw new UntranslatableException(
                    "unsupported condition (supported: host, path, method, header, query, cookie or client)");
        }
        String sample = SAMPLES.getOrDefault(matcher.group(1), matcher.group(1));
        String match = matcher.group(2) == null ? "str" : matcher.group(2);
        String argument = matcher.group(3) == null ? "" : matcher.group(3);
        boolean ignoresCase = false;
        for (String converter : matcher.group(4).split(",", -1)) {
            if (!converter.isEmpty() && !converter.equals("lower")) {
                throw new UntranslatableException("converters other than lower are not supported in conditions");
            }
            ignoresCase |= converter.equals("lower");
        }
        List<String> files = new ArrayList<>();
        int at = 1;
        while (at < words.size()
                && words.get(at).startsWith("-")
                && words.get(at).length() > 1) {
            String flag = words.get(at++);
            switch (flag) {
                case "-i" -> ignoresCase = true;
                case "-n" -> {}
                case "-m" -> match = at < words.size() ? words.get(at++) : "";
                case "-f" -> files.add(at < words.size() ? words.get(at++) : "");
                case "-M" -> throw new UntranslatableException(FILES);
                case "--" -> {
                    return new HaproxyCriterion(
                            sample, argument, match, ignoresCase, words.subList(at, words.size()), files);
                }
                default -> throw new UntranslatableException("unsupported flag in a condition: " + flag);
            }
        }
        return new HaproxyCriterion(sample, argument, match, ignoresCase, words.subList(at, words.size()), files);
    }

    /** Returns whether the criterion has the same result for all requests of a listener. */
    boolean isConstant() {
        return switch (sample) {
            case "ssl_fc", "always_true", "always_false", "dst_port" -> true;
            default -> false;
        };
    }

    /** Returns whether {@link #holds} can evaluate a constant criterion. */
    boolean hasKnownResult() {
        if (!files.isEmpty() || !match.equals("str")) {
            return false;
        }
        return switch (sample) {
            case "dst_port" -> !values.isEmpty() && values.stream().allMatch(value -> value.matches("[0-9]{1,5}"));
            case "ssl_fc" -> values.isEmpty() || values.equals(List.of("0")) || values.equals(List.of("1"));
            default -> values.isEmpty();
        };
    }

    /** Returns whether a constant criterion is true on a listener. */
    boolean holds(HaproxyBind bind) {
        return switch (sample) {
            case "ssl_fc" -> bind.isTls() != values.contains("0");
            case "dst_port" -> values.contains(bind.port());
            default -> sample.equals("always_true");
        };
    }

    /** Returns alternative conditions; a request must match one of them. Adds a note for each difference in meaning. */
    List<ImportedConditions> alternatives(List<String> notes) throws UntranslatableException {
        if (!files.isEmpty()) {
            throw new UntranslatableException(FILES);
        }
        if (values.stream().anyMatch(EnvironmentReference::isIn)) {
            throw new UntranslatableException("environment variables are not supported in the values of a condition");
        }
        if (match.equals("found") || (values.isEmpty() && match.equals("str") && !argument.isEmpty())) {
            return List.of(namedCondition(Map.of("present", true)));
        }
        if (sample.equals("method")) {
            return List.of(ImportedConditions.other("method", List.copyOf(values)));
        }
        if (sample.equals("src")) {
            return List.of(ImportedConditions.other("client", networks()));
        }
        List<ImportedConditions> all = new ArrayList<>();
        for (String value : values) {
            all.addAll(conditionsOf(value, notes));
        }
        if (all.isEmpty()) {
            throw new UntranslatableException("the condition has no values");
        }
        return all;
    }

    private List<ImportedConditions> conditionsOf(String value, List<String> notes) throws UntranslatableException {
        boolean isHost = sample.equals("hdr") && argument.split(",", -1)[0].equalsIgnoreCase(HOST);
        if (isHost || sample.equals("sni")) {
            return hosts(value, notes);
        }
        return sample.equals("path")
                ? List.of(ImportedConditions.path(path(value, notes)))
                : List.of(namedCondition(text(value)));
    }

    private List<ImportedConditions> hosts(String value, List<String> notes) throws UntranslatableException {
        String name = value.toLowerCase(Locale.ROOT).replaceAll(":[0-9]+$", "");
        if (sample.equals("hdr") && !ignoresCase) {
            notes.add("hosts are compared case-insensitively");
        }
        return switch (match) {
            case "str" -> List.of(ImportedConditions.host(checked(name)));
            case "end" -> {
                if (!name.startsWith(".")) {
                    throw new UntranslatableException(
                            "unsupported host suffix (supported: '*.suffix', which matches whole labels)");
                }
                yield List.of(ImportedConditions.host("*" + checked(name)));
            }
            case "dom" -> {
                notes.add("matches the host itself and its subdomains, not every name that contains it");
                yield List.of(ImportedConditions.host(checked(name)), ImportedConditions.host("*." + name));
            }
            default ->
                throw new UntranslatableException("unsupported host pattern (supported: an exact name or '*.suffix')");
        };
    }

    private static String checked(String name) throws UntranslatableException {
        if (!name.matches("\\.?[a-z0-9_-]+(\\.[a-z0-9_-]+)*")) {
            throw new UntranslatableException("unsupported host pattern (supported: an exact name or '*.suffix')");
        }
        return name;
    }

    private ImportedPath path(String value, List<String> notes) throws UntranslatableException {
        String quoted = ImportedPath.quoted(value);
        return switch (match) {
            case "str" -> ignoresCase ? regex(ImportedPath.quoted(rooted(value))) : ImportedPath.exact(rooted(value));
            case "beg" -> {
                if (ignoresCase || !rooted(value).endsWith("/")) {
                    yield ImportedPath.textPrefix(rooted(value), ignoresCase);
                }
                if (!value.equals("/")) {
                    notes.add("matches whole path segments: " + value.replaceAll("/$", "") + " and all paths below it");
                }
                yield ImportedPath.prefix(value);
            }
            case "end" -> regexContaining(quoted, "");
            case "sub" -> regexContaining(quoted, ".*");
            case "dir" -> regex("(.*/)?" + quoted + "(/.*)?");
            case "reg" -> regex(ImportedPath.toFullMatchRegex(value));
            default ->
                throw new UntranslatableException("unsupported path match (supported: path, path_exact or path_regex)");
        };
    }

    private ImportedPath regex(String regex) throws UntranslatableException {
        return ImportedPath.regex((ignoresCase ? "(?i)" : "") + regex);
    }

    /**
     * Returns a regular expression for paths that contain {@code quoted}. To ignore case, it uses a group
     * inside the expression instead of a flag for the whole expression, so that text before the group can
     * become a path prefix.
     */
    private ImportedPath regexContaining(String quoted, String end) throws UntranslatableException {
        return ignoresCase && !quoted.startsWith("/")
                ? ImportedPath.regex(".*(?i:" + quoted + ")" + end)
                : regex(".*" + quoted + end);
    }

    private static String rooted(String path) throws UntranslatableException {
        if (!path.startsWith("/") || path.contains("//") || path.matches(".*/\\.{1,2}(/.*)?")) {
            throw new UntranslatableException(
                    "unsupported path (expected: a path that begins with / and contains no //, /./ or /../)");
        }
        return path;
    }

    private Object text(String value) throws UntranslatableException {
        String quoted = ImportedPath.quoted(value);
        String regex =
                switch (match) {
                    case "str" -> quoted;
                    case "beg" -> quoted + ".*";
                    case "end" -> ".*" + quoted;
                    case "sub" -> ".*" + quoted + ".*";
                    case "reg" -> ImportedPath.toFullMatchRegex(value);
                    default ->
                        throw new UntranslatableException(
                                "unsupported value match (supported: exact, prefix or regex)");
                };
        if (match.equals("str") && !ignoresCase) {
            return value;
        }
        if (match.equals("beg") && !ignoresCase) {
            return Map.of("prefix", value);
        }
        return Map.of(
                "regex", ImportedPath.regex((ignoresCase ? "(?i)" : "") + regex).text());
    }

    private ImportedConditions namedCondition(Object value) throws UntranslatableException {
        String name = argument.split(",", -1)[0];
        String kind =
                switch (sample) {
                    case "hdr" -> "headers";
                    case "url_param" -> "query";
                    case "cook" -> "cookies";
                    default -> "";
                };
        if (kind.isEmpty() || name.isEmpty()) {
            throw new UntranslatableException(
                    "unsupported condition (supported: host, path, method, header, query, cookie or client)");
        }
        return ImportedConditions.other(kind + "/" + name, value);
    }

    private List<String> networks() throws UntranslatableException {
        List<String> networks = new ArrayList<>();
        for (String value : values) {
            if (!NETWORK.matcher(value).matches()) {
                throw new UntranslatableException("unsupported client address (expected: networks such as 10.0.0.0/8)");
            }
            boolean bare = value.indexOf('/') < 0;
            networks.add(bare ? value + (value.indexOf(':') >= 0 ? "/128" : "/32") : value);
        }
        return networks;
    }

    /** Returns whether the criterion compares the client's address. */
    boolean isClientAddress() {
        return sample.equals("src")
                && argument.isEmpty()
                && match.matches("str|ip")
                && !(values.isEmpty() && files.isEmpty());
    }

    /** Returns the addresses that the criterion compares with the client's address, as entries of a policy. */
    List<Object> addresses() throws UntranslatableException {
        List<Object> entries = new ArrayList<>();
        for (String value : values) {
            try {
                entries.add(Cidr.parseLeniently(value).toString());
            } catch (IllegalArgumentException e) {
                throw new UntranslatableException("unsupported client address (expected: networks such as 10.0.0.0/8)");
            }
        }
        for (String file : files) {
            try {
                NetworkListFile.read(Path.of(file));
                entries.add(Map.of("file", Path.of(file).toAbsolutePath().toString()));
            } catch (InvalidPathException | NetworkListException e) {
                throw new UntranslatableException("the list cannot be used: " + ErrorText.of(e));
            }
        }
        return entries;
    }
}
