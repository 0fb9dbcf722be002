package io.ballast.dashboard.bundle;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One ES module as a function that returns its exports, so that modules may use the same names for their own
 * variables. Every line of the source stays one line. Import and export statements must start a line and
 * have one of these forms; all other forms are rejected:
 *
 * <pre>{@code
 * import { a, b as c } from './file.js';
 * export const a = 1;
 * export function b() {}
 * export class C {}
 * export { d, e as f }; // only at the end of the file, as in vendor.js
 * }</pre>
 *
 * @param file the name of the file
 * @param imports the imported names by file, in the order of the statements
 * @param exports the local names by exported name
 * @param source the original content
 * @param lines the lines of the function body
 */
record ScriptModule(
        String file,
        Map<String, List<String>> imports,
        Map<String, String> exports,
        String source,
        List<String> lines) {

    private static final Pattern FILE = Pattern.compile("([A-Za-z]\\w*)\\.js");
    private static final Pattern STATEMENT = Pattern.compile("(?:import|export)\\b.*");
    private static final Pattern IMPORT = Pattern.compile("import \\{([^}]+)} from '\\./([^']+)';\\s*");
    private static final Pattern DECLARATION =
            Pattern.compile("export ((?:const|class|(?:async )?function) ([A-Za-z_$][\\w$]*).*)");
    private static final Pattern LIST_AT_THE_END = Pattern.compile("export\\s*\\{([^{}]*)};?\\s*\\z");

    static ScriptModule parse(String file, String source) {
        if (!FILE.matcher(file).matches()) {
            throw new IllegalArgumentException(file + ": the file name is not a JavaScript name with .js");
        }
        Map<String, List<String>> imports = new LinkedHashMap<>();
        Map<String, String> exports = new LinkedHashMap<>();
        Matcher list = LIST_AT_THE_END.matcher(source);
        String body = source;
        if (list.find()) {
            for (NamePair name : splitNames(list.group(1))) {
                addExport(exports, file, name);
            }
            body = source.substring(0, list.start());
        }
        List<String> lines = new ArrayList<>();
        for (String line : body.lines().toList()) {
            Matcher imported = IMPORT.matcher(line);
            Matcher declared = DECLARATION.matcher(line);
            if (imported.matches()) {
                List<NamePair> names = splitNames(imported.group(1));
                imports.computeIfAbsent(imported.group(2), each -> new ArrayList<>())
                        .addAll(names.stream().map(NamePair::name).toList());
                lines.add("const " + object(names.stream()) + " = " + variable(imported.group(2)) + ';');
            } else if (declared.matches()) {
                addExport(exports, file, new NamePair(declared.group(2), declared.group(2)));
                lines.add(declared.group(1));
            } else if (STATEMENT.matcher(line).matches()) {
                throw new IllegalArgumentException(file + ":" + (lines.size() + 1) + ": " + line
                        + " (expected: import { name } from './file.js'; or export before const, function or class)");
            } else {
                lines.add(line);
            }
        }
        return new ScriptModule(file, imports, exports, source, lines);
    }

    /** A name in an import or export list: {@code name as alias}; the alias is the name if the list has none. */
    private record NamePair(String name, String alias) {}

    private static void addExport(Map<String, String> exports, String file, NamePair name) {
        if (exports.putIfAbsent(name.alias(), name.name()) != null) {
            throw new IllegalArgumentException(file + ": exports " + name.alias() + " twice");
        }
    }

    /** Adds the module to a bundle, as a function call whose result (the exports) is assigned to a variable. */
    void addTo(Bundle bundle) {
        bundle.addLine("const " + variable(file) + " = (() => {");
        bundle.addSource(file, source, lines);
        if (!exports.isEmpty()) {
            Stream<NamePair> names =
                    exports.entrySet().stream().map(each -> new NamePair(each.getKey(), each.getValue()));
            bundle.addLine("return " + object(names) + ';');
        }
        bundle.addLine("})();");
    }

    /**
     * Returns the variable of a module. The prefix {@code $} prevents conflicts with variables inside modules.
     */
    private static String variable(String file) {
        return '$' + file.replace(".js", "");
    }

    /** Formats names as {@code { a, b: c }}, which is both an object literal and a destructuring pattern. */
    private static String object(Stream<NamePair> names) {
        return names.map(each -> each.name().equals(each.alias()) ? each.name() : each.name() + ": " + each.alias())
                .collect(Collectors.joining(", ", "{ ", " }"));
    }

    /** Splits {@code a, b as c} into names. */
    private static List<NamePair> splitNames(String list) {
        List<NamePair> names = new ArrayList<>();
        for (String item : list.split(",")) {
            String[] parts = item.strip().split("\\s+as\\s+");
            if (!parts[0].isEmpty()) {
                names.add(new NamePair(parts[0], parts[parts.length - 1]));
            }
        }
        return names;
    }
}
