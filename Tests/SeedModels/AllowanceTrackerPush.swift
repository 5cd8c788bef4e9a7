/// The AllowanceTracker push specification: its clients' own types, with their names, optionality, and forms of numbers and
/// dates. Line numbers in this folder and in the suites that use it are the specification's.
package enum AllowanceTrackerPush {}
