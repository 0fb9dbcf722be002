package io.ballast.server.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;

/** The classes of all modules, without their tests; read once. */
final class Classes {

    /** Other modules come as folders in a short build, as jars in a whole one: leave out both kinds of fixtures. */
    private static final ImportOption NO_FIXTURES = (Location location) -> !location.contains("-tests.jar");

    static final JavaClasses OF_ALL_MODULES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(NO_FIXTURES)
            .importPackages("io.ballast");

    private Classes() {}
}
