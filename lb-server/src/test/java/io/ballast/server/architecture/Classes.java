package io.ballast.server.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;

/** The classes of all modules, without tests. They are read once for all tests. */
final class Classes {

    /**
     * Excludes test fixtures. Other modules are folders in a short build and jars in a full build: exclude both.
     */
    private static final ImportOption NO_FIXTURES = (Location location) -> !location.contains("-tests.jar");

    static final JavaClasses OF_ALL_MODULES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(NO_FIXTURES)
            .importPackages("io.ballast");

    private Classes() {}
}
