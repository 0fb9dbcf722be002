/** Memory of tables with many keys, which is allocated as keys arrive. */
@NullMarked
package io.ballast.policy.table;

import org.jspecify.annotations.NullMarked;
