from .target_documents import Documents as Calls

Answers = Calls
