package io.ballast.server.architecture;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaPackage;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests properties of all packages: no cycles, a limited size, null marking. */
class PackagesTest {

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @ValueSource(
            strings = {
                "core",
                "net",
                "http",
                "dns",
                "dashboard",
                "policy",
                "acme",
                "telemetry",
                "config",
                "discovery",
                "cli",
                "server"
            })
    void packagesHaveNoCyclicDependencies(String module) {
        slices().matching("io.ballast." + module + ".(**)")
                .should()
                .beFreeOfCycles()
                .check(Classes.OF_ALL_MODULES);
    }

    @Test
    void packagesHaveAtMostFortyClasses() {
        Map<String, Long> sizes = Classes.OF_ALL_MODULES.stream()
                .filter(type -> !type.isNestedClass() && !type.getSimpleName().equals("package-info"))
                .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));

        assertThat(sizes).hasSizeGreaterThan(100);
        assertThat(sizes.entrySet().stream()
                        .filter(size -> size.getValue() > 40)
                        .toList())
                .isEmpty();
    }

    @Test
    void allPackagesAreNullMarked() {
        List<String> unmarked = Classes.OF_ALL_MODULES.stream()
                .map(type -> type.getPackage())
                .distinct()
                .filter(javaPackage -> !javaPackage.isAnnotatedWith(NullMarked.class))
                .map(JavaPackage::getName)
                .sorted()
                .toList();

        assertThat(unmarked)
                .as("packages whose package-info.java lacks @NullMarked")
                .isEmpty();
    }
}
