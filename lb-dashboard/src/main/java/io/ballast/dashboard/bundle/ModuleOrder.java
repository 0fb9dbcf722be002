package io.ballast.dashboard.bundle;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Orders modules by name, except that each module runs after the modules that it imports. The entry module
 * runs last, after the modules that no other module imports.
 */
final class ModuleOrder {

    private final Map<String, ScriptModule> modules;
    private final Set<ScriptModule> ordered = new LinkedHashSet<>();
    private final List<String> path = new ArrayList<>();

    /**
     * @param modules the modules by file name, sorted by name
     * @param entry the file name of the module that runs last
     * @throws IllegalArgumentException if an import does not match a module or its exports, or imports are circular
     */
    ModuleOrder(Map<String, ScriptModule> modules, String entry) {
        this.modules = modules;
        ScriptModule last = modules.get(entry);
        if (last == null) {
            throw new IllegalArgumentException("the directory has no " + entry);
        }
        modules.forEach((name, module) -> {
            if (!name.equals(entry)) {
                visit(module);
            }
        });
        visit(last);
    }

    List<ScriptModule> modules() {
        return List.copyOf(ordered);
    }

    private void visit(ScriptModule module) {
        if (ordered.contains(module)) {
            return;
        }
        boolean isCircular = path.contains(module.file());
        path.add(module.file());
        if (isCircular) {
            throw new IllegalArgumentException("circular import: " + String.join(" -> ", path));
        }
        module.imports().forEach((file, names) -> visit(imported(module, file, names)));
        path.remove(path.size() - 1);
        ordered.add(module);
    }

    private ScriptModule imported(ScriptModule module, String file, List<String> names) {
        ScriptModule imported = modules.get(file);
        if (imported == null) {
            throw new IllegalArgumentException(module.file() + ": there is no " + file + " to import from");
        }
        for (String name : names) {
            if (!imported.exports().containsKey(name)) {
                throw new IllegalArgumentException(module.file() + ": " + file + " does not export " + name);
            }
        }
        return imported;
    }
}
