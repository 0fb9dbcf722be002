package io.ballast.server.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests that a new key of a configuration object changes few files. A new key adds a component to a record, and so
 * changes every caller of the record's canonical constructor. Therefore, other code must copy a record by a {@code
 * with…} method or a builder, or use a constructor with fewer parameters.
 */
class ConfigRecordsTest {

    /** Records with fewer components are not tested, because they are values, such as an address and its port. */
    private static final int MIN_COMPONENTS = 4;

    /**
     * Classes that may call other records' canonical constructors: the first stores all properties of a backend in a
     * file, and the second creates a check in a record without keys.
     */
    private static final Set<String> EXCEPTIONS =
            Set.of("io.ballast.discovery.EditFile", "io.ballast.core.health.CheckTarget");

    @Test
    void onlyKeysCallCanonicalConstructors() {
        List<JavaConstructor> constructors = Classes.OF_ALL_MODULES.stream()
                .filter(ConfigRecordsTest::isConfigRecord)
                .flatMap(ConfigRecordsTest::canonicalConstructor)
                .toList();

        assertThat(constructors).hasSizeGreaterThan(40);
        assertThat(constructors.stream().flatMap(ConfigRecordsTest::otherCallers))
                .isSubsetOf(EXCEPTIONS);
    }

    private static boolean isConfigRecord(JavaClass type) {
        return type.isRecord()
                && (type.getPackageName().matches("io\\.ballast\\.\\w+\\.config(\\..*)?")
                        || type.getPackageName().equals("io.ballast.config"));
    }

    private static Stream<JavaConstructor> canonicalConstructor(JavaClass type) {
        List<String> components = type.getFields().stream()
                .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
                .map(JavaField::getRawType)
                .map(JavaClass::getName)
                .toList();
        return type.getConstructors().stream()
                .filter(constructor -> components.size() >= MIN_COMPONENTS
                        && constructor.getRawParameterTypes().size() == components.size());
    }

    private static Stream<String> otherCallers(JavaConstructor constructor) {
        String own = constructor.getOwner().getPackageName();
        return constructor.getCallsOfSelf().stream()
                .map(call -> call.getOriginOwner())
                .filter(caller -> !caller.getPackageName().equals(own))
                .filter(caller -> Stream.of("io.ballast.config.keys.", "io.ballast.config.longform")
                        .noneMatch(keys -> caller.getPackageName().startsWith(keys)))
                .map(JavaClass::getName);
    }
}
